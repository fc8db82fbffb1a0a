import { expect, test } from "bun:test";
import { iterationName, namedSentence } from "../../../src/core/report/iteration-name.ts";

const said = { outcome: "answered", analysis: { work_summary: "I added a menu." }, evidence: {} } as const;

test.each<[string, object, string | null]>([
  ["the task that it ticked", { evidence: { plan_ticked: ["Add a menu"], subject: "feat: menu" } }, "Add a menu"],
  ["the first of several tasks", { evidence: { plan_ticked: ["Add a menu", "b", "c"] } }, "Add a menu and 2 more"],
  ["its first commit", { evidence: { subject: "feat: menu" } }, "feat: menu"],
  ["the first line of its answer", {}, "I added a menu."],
  ["a commit, though it failed", { outcome: "failed", evidence: { subject: "feat: menu" } }, "feat: menu"],
  ["nothing after a failure", { outcome: "failed" }, null],
  ["nothing without words", { analysis: { work_summary: " " } }, null],
  ["one safe line", { evidence: { subject: "a\u001b[31m\tb\nc" } }, "a b c"],
])("an iteration is called by %s", (_, more, name) => {
  expect(iterationName({ ...said, ...more })).toBe(name);
});

test("a long name is clipped", () => {
  expect(iterationName({ ...said, evidence: { plan_ticked: ["x".repeat(999)] } })).toHaveLength(120);
});

test("a name stands before the verdict, which stands alone without one", () => {
  expect([namedSentence("Menu", "Progress."), namedSentence(null, "Progress.")]).toEqual([
    "Menu · Progress.",
    "Progress.",
  ]);
});
