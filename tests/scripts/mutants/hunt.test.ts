import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Mutant } from "../../../scripts/mutants/generate.ts";
import { HuntImpossible, hunt, select } from "../../../scripts/mutants/hunt.ts";
import { type KnownFates, openFates } from "../../../scripts/mutants/known-fates.ts";
import { runMutant } from "../../../scripts/mutants/run-mutant.ts";
import { copyTree, sourcesOf } from "../../../scripts/mutants/tree-copy.ts";
import { testFolder } from "../../folders.ts";

const CODE = `
/** Nobody can tell \`<\` from \`<=\` here: the larger of two equal numbers is either. */
export const larger = (a: number, b: number) => (a < b ? b : a);
export const double = (a: number) => a * 2;
export function countDown(from: number): number {
  let left = from;
  while (left > 0) left -= 1;
  return left;
}
`;
const TESTS = `
import { expect, test } from "bun:test";
import { countDown, double, larger } from "../../src/core/sums.ts";
test("sums", () => {
  expect([larger(1, 2), larger(2, 1), double(3), countDown(3)]).toEqual([2, 2, 6, 0]);
});
`;

const project = testFolder("test-mutants");
const workshop = join(project, "dist");
let wanted: Parameters<typeof select>[1];

beforeAll(() => {
  write("src/core/sums.ts", CODE);
  write("tests/core/sums.test.ts", TESTS);
  mkdirSync(join(project, "node_modules"));
  mkdirSync(workshop);
  wanted = { folders: ["src/core/"], seed: 1, most: 100, file: null, only: [] };
});

function write(file: string, text: string) {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

/** Hunts in the project as it is. @returns fates by change, and how many mutants were tried anew */
async function huntHere(
  fates: KnownFates,
  {
    pick = () => true,
    signal = new AbortController().signal,
  }: { pick?: (m: Mutant) => boolean; signal?: AbortSignal } = {},
) {
  const copies = [copyTree(project, workshop), copyTree(project, workshop)];
  const sources = copies[0] === undefined ? new Map<string, string>() : sourcesOf(copies[0]);
  const { chosen } = select(sources, wanted);
  let trials = 0;
  const progress = () => void trials++;
  const tried = await hunt(chosen.filter(pick), sources, { copies, fates, signal, progress });
  const left = copies.map(({ root }) => readFileSync(join(root, "src/core/sums.ts"), "utf8"));
  return { tried, trials, left };
}

const fateFile = () => join(mkdtempSync(join(workshop, "fates-")), "fates.jsonl");

test("a mistake that a test notices is killed, one that changes nothing survives, and no copy stays broken", async () => {
  const { tried, left } = await huntHere(openFates(fateFile(), { fresh: false }), {
    pick: ({ before }) => ["a < b", "a * 2"].includes(before),
  });
  expect(Object.fromEntries(tried.map(({ mutant, fate }) => [mutant.after, fate]))).toEqual({
    true: "killed",
    false: "killed",
    "a <= b": "survived",
    "a / 2": "killed",
  });
  expect(left).toEqual([CODE, CODE]);
  expect(readFileSync(join(project, "src/core/sums.ts"), "utf8")).toBe(CODE);
});

test("a mutant that never comes to an end is killed by the limit of time", async () => {
  const copy = copyTree(project, workshop);
  const endless = select(sourcesOf(copy), wanted).chosen.find(({ after }) => after === "left += 1");
  if (endless === undefined) throw new Error("the sample has no loop");
  const tests = { near: ["tests/core/sums.test.ts"], far: [] };
  const limits = { near: 1_000, far: 1_000, megabytes: 1_000 };
  const trial = await runMutant(copy, endless, { tests, limits, signal: new AbortController().signal });
  expect(trial?.fate).toBe("killed by limit");
});

test("a mutant that fills the memory is killed by the limit of memory", async () => {
  const copy = copyTree(project, workshop);
  const mutant = {
    id: "sums-greedy",
    file: "src/core/sums.ts",
    line: 1,
    operator: "by hand",
    start: 0,
    end: 0,
    before: "",
    after: "const all: string[] = []; for (;;) all.push(`${all.length}`.repeat(10_000));",
  };
  const tests = { near: ["tests/core/sums.test.ts"], far: [] };
  const limits = { near: 60_000, far: 60_000, megabytes: 300 };
  const trial = await runMutant(copy, mutant, { tests, limits, signal: new AbortController().signal });
  expect(trial?.fate).toBe("killed by limit");
}, 60_000);

test("tests that cannot be run kill no mutant: that is an error", async () => {
  const copy = copyTree(project, workshop);
  const [mutant] = select(sourcesOf(copy), wanted).chosen;
  if (mutant === undefined) throw new Error("the sample has no mutant");
  const tests = { near: ["tests/core/sums.test.ts"], far: [] };
  const limits = { near: 0.5, far: 0.5, megabytes: 1_000 };
  await expect(runMutant(copy, mutant, { tests, limits, signal: new AbortController().signal })).rejects.toThrow();
});

test("what an earlier run found out is not tried again, until the code or a test of it changes", async () => {
  const file = fateFile();
  const only = { pick: ({ after }: Mutant) => after === "a / 2" };
  expect((await huntHere(openFates(file, { fresh: false }), only)).trials).toBe(1);
  const again = await huntHere(openFates(file, { fresh: false }), only);
  expect([again.trials, again.tried.map(({ fate }) => fate)]).toEqual([0, ["killed"]]);
  expect((await huntHere(openFates(file, { fresh: true }), only)).trials).toBe(1);

  write("tests/core/sums.test.ts", TESTS.replace("double(3), ", "").replace("2, 6, 0", "2, 0"));
  const changed = await huntHere(openFates(file, { fresh: false }), only);
  write("tests/core/sums.test.ts", TESTS);
  expect([changed.trials, changed.tried.map(({ fate }) => fate)]).toEqual([1, ["survived"]]);
});

test("tests that fail without a mutant are refused, with what they say", async () => {
  write("tests/core/sums.test.ts", TESTS.replace("6, 0", "7, 0"));
  const hunting = huntHere(openFates(fateFile(), { fresh: false }));
  await expect(hunting).rejects.toThrow(/fail without a mutant[\s\S]*sums/);
  write("tests/core/sums.test.ts", TESTS);
});

test("a hunt that is stopped knows nothing of the mutants that it did not finish", async () => {
  const { tried, trials } = await huntHere(openFates(fateFile(), { fresh: false }), { signal: AbortSignal.abort() });
  expect([tried, trials]).toEqual([[], 0]);
});

test("mutants are selected by a part of the path or by id, and an unknown one is named", () => {
  const sources = new Map([
    ["src/core/a.ts", "f(0);"],
    ["src/core/b.ts", "f(0);"],
    ["src/view/a.ts", "f(0);"],
  ]);
  const { all, chosen } = select(sources, { ...wanted, file: "core/a" });
  expect([all.length, chosen.map(({ file }) => file)]).toEqual([4, ["src/core/a.ts", "src/core/a.ts"]]);
  const [first] = chosen;
  expect(select(sources, { ...wanted, only: [first?.id ?? ""] }).chosen).toEqual(chosen.slice(0, 1));
  expect(() => select(sources, { ...wanted, only: ["a-00000000"] })).toThrow("there is no mutant a-00000000");
  expect(() => select(sources, { ...wanted, file: "none" })).toThrow(HuntImpossible);
});
