import { expect, test } from "bun:test";
import type { Mutant } from "../../../scripts/mutants/generate.ts";
import { isEnough, mutantLine, report, reportText, type Tried } from "../../../scripts/mutants/report.ts";
import type { Fate } from "../../../scripts/mutants/run-mutant.ts";

const tried = (id: string, fate: Fate): Tried => {
  const mutant: Mutant = {
    id,
    file: `src/core/${id[0]}.ts`,
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
  const found = report(trials, [
    { id: "b-1", change: "", why: "equivalent" },
    { id: "a-1", change: "", why: "was equivalent once" },
  ]);
  expect(found.score).toEqual({ killed: 2, total: 3, accepted: 1 });
  expect(reportText(found)).toMatchInlineSnapshot(`
    "     2/3   66.7 %  src/core/a.ts
         0/0        -  src/core/b.ts

    survived  src/core/a.ts:3  \`a < b\` → \`a <= b\`  (a-3)
    accepted  src/core/b.ts:3  \`a < b\` → \`a <= b\`  (b-1): equivalent
    a-1 is accepted but killed: it can go from the list
    2/3 mutants killed (66.7 %), 1 of them by a limit of time or memory, not counting 1 accepted"
  `);
});

test.each([
  [9, 10, true],
  [89, 100, false],
  [0, 0, true],
])("%p killed of %p: enough is %p", (killed, total, enough) => {
  expect(isEnough({ killed, total, accepted: 0 })).toBe(enough);
});

test("of long code the line shows the part that changed", () => {
  const { mutant } = tried("a-1", "survived");
  const [before, after] = [`${"x".repeat(300)}/old/${"y".repeat(300)}`, `${"x".repeat(300)}/new/${"y".repeat(300)}`];
  const line = mutantLine({ ...mutant, before, after });
  expect(line).toMatch(/…x+\/old\/y+…` → `…x+\/new\/y+…/);
  expect(line.length).toBeLessThan(260);
});
