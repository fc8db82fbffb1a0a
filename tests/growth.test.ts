import { expect, test } from "bun:test";
import { growth, IN_PROPORTION } from "./growth.ts";

const numbers = (size: number) => Array.from({ length: size }, (_, at) => at);

test("work that looks at each part once grows in proportion to the size", async () => {
  const seen = (all: readonly number[]) => new Set(all).size;
  expect(await growth(numbers, seen, 100_000)).toBeLessThan(IN_PROPORTION);
});

test("work that looks at all parts for each grows faster than the size", async () => {
  const seen = (all: readonly number[]) => all.filter((part) => all.lastIndexOf(-part) > part).length;
  expect(await growth(numbers, seen, 20_000)).toBeGreaterThan(IN_PROPORTION);
});
