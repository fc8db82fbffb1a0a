import { expect, test } from "bun:test";
import { choose, chooseEvenly } from "../../../scripts/mutants/choose.ts";
import type { Mutant } from "../../../scripts/mutants/generate.ts";

const mutantsOf = (file: string, count: number): Mutant[] =>
  Array.from({ length: count }, (_, start) => ({
    id: `${file}-${start}`,
    file,
    line: 1,
    operator: "number",
    start,
    end: start + 1,
    before: "0",
    after: "1",
  }));

const mutants = [...mutantsOf("large", 600), ...mutantsOf("middle", 300), ...mutantsOf("tiny", 1)];
const countOf = (chosen: readonly Mutant[], file: string) => chosen.filter((mutant) => mutant.file === file).length;

test("files are drawn from by how many mutants they have, and a small one is not forgotten", () => {
  const chosen = choose(mutants, 90, 1);
  expect(["large", "middle", "tiny"].map((file) => countOf(chosen, file))).toEqual([59, 30, 1]);
});

test("the choice is the same for the same seed, another for another seed, in the order of the files", () => {
  const chosen = choose(mutants, 90, 1);
  expect(choose(mutants, 90, 1)).toEqual(chosen);
  expect(choose(mutants, 90, 2)).not.toEqual(chosen);
  expect(chosen).toEqual(mutants.filter((mutant) => chosen.includes(mutant)));
});

test("all are taken if there are no more than asked for", () => {
  expect(choose(mutants, 901, 1)).toEqual(mutants);
});

test("no more are taken than asked for, even if there are more files", () => {
  expect(choose(mutants, 2, 1)).toHaveLength(2);
});

test("one mutant more in a file changes at most one place of the choice in each file", () => {
  const [before, after] = [choose(mutants, 90, 1), choose([...mutants, ...mutantsOf("tiny", 2).slice(1)], 90, 1)];
  expect(after.filter((mutant) => !before.includes(mutant)).length).toBeLessThanOrEqual(3);
});

test("each folder gives as many mutants, and the others take over what a small one lacks", () => {
  const folders = ["large", "middle", "tiny"];
  const chosen = chooseEvenly(mutants, { folders, most: 91, seed: 1 });
  expect(folders.map((folder) => countOf(chosen, folder))).toEqual([45, 45, 1]);
  expect(chosen).toEqual(mutants.filter((mutant) => chosen.includes(mutant)));
});
