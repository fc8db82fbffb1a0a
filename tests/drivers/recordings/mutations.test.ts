import { expect, test } from "bun:test";
import { seed } from "../../seed.ts";
import { hunt } from "./mutants.ts";
import { MUTATIONS } from "./mutations.ts";

/** `npm run mutants` makes 100,000. */
const MUTANTS = 8000;

test("no mutant is done, limited or denied unless its recording is", () => {
  const { found, byMutation } = hunt(MUTANTS, seed);
  expect(found.map(({ text: _, ...rest }) => rest)).toEqual([]);
  expect(Object.keys(byMutation).length).toBe(MUTATIONS.length);
  expect(Math.min(...Object.values(byMutation))).toBeGreaterThan(MUTANTS / MUTATIONS.length / 2);
});
