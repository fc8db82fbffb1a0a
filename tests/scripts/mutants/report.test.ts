import { expect, test } from "bun:test";
import type { Mutant } from "../../../scripts/mutants/generate.ts";
import { isEnough, mutantLine, report, reportText, type Tried } from "../../../scripts/mutants/report.ts";
import type { Fate } from "../../../scripts/mutants/run-mutant.ts";

const FOLDERS = ["src/core/", "src/run/"];

const tried = (id: string, fate: Fate, folder = "src/core/"): Tried => {
  const mutant: Mutant = {
    id,
    file: `${folder}${id[0]}.ts`,
    line: 3,
    operator: "boundary",
    start: 0,
    end: 1,
    before: "a  <\n b",
    after: "a <= b",
  };
  return { mutant, fate };
};

const trials = [
  tried("a-1", "killed"),
  tried("a-2", "killed by limit"),
  tried("a-3", "survived"),
  tried("b-1", "survived"),
];

test("an accepted survivor is neither killed nor counted, and stands in the report with its reason", () => {
  const accepted = [
    { id: "b-1", change: "", why: "equivalent" },
    { id: "a-1", change: "", why: "was equivalent once" },
  ];
  const found = report(trials, accepted, FOLDERS);
  expect(found.score).toEqual({ killed: 2, total: 3, accepted: 1 });
  expect(reportText(found)).toMatchInlineSnapshot(`
    "     2/3   66.7 %  src/core/a.ts
         0/0        -  src/core/b.ts

    survived  src/core/a.ts:3  \`a < b\` → \`a <= b\`  (a-3)
    accepted  src/core/b.ts:3  \`a < b\` → \`a <= b\`  (b-1): equivalent
    a-1 is accepted but killed: it can go from the list

         2/3   66.7 %  src/core/
         0/0        -  src/run/
    2/3 mutants killed (66.7 %), 1 of them by a limit of time or memory, not counting 1 accepted"
  `);
});

test.each([
  [9, 10, true],
  [89, 100, false],
  [0, 0, true],
])("of a folder with %p killed of %p, that it is enough is %p", (killed, total, enough) => {
  expect(isEnough({ by_folder: { "src/core/": { killed, total, accepted: 0 } } })).toBe(enough);
});

test("a folder whose tests notice too little is not hidden by one whose tests notice all", () => {
  const killed = Array.from({ length: 98 }, () => tried("a-1", "killed"));
  const found = report(
    [...killed, tried("c-1", "killed", "src/run/"), tried("c-2", "survived", "src/run/")],
    [],
    FOLDERS,
  );
  expect(found.by_folder).toMatchObject({
    "src/core/": { killed: 98, total: 98 },
    "src/run/": { killed: 1, total: 2 },
  });
  expect(found.score).toMatchObject({ killed: 99, total: 100 });
  expect(isEnough(found)).toBe(false);
});

test("of long code the line shows the part that changed", () => {
  const { mutant } = tried("a-1", "survived");
  const [before, after] = [`${"x".repeat(300)}/old/${"y".repeat(300)}`, `${"x".repeat(300)}/new/${"y".repeat(300)}`];
  const line = mutantLine({ ...mutant, before, after });
  expect(line).toMatch(/…x+\/old\/y+…` → `…x+\/new\/y+…/);
  expect(line.length).toBeLessThan(260);
});
