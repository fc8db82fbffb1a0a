import { expect, test } from "bun:test";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { oneTaskPlan } from "../../../src/core/tasks/one-task-plan.ts";

const PLAN = `# Plan

Words for everyone.

## Epic A
> Goal: a

- [x] a1
  note of a1
- [ ] a2
  > AC: two
  - detail
- [ ] a3

## Epic B
### Deep
- [ ] b1
  - [ ] b1.1

## Notes
Kept.
`;

/** The plan for the task whose box has these words. */
const planFor = (words: string) =>
  oneTaskPlan(PLAN, PLAN.split("\n").findIndex((line) => line.endsWith(`] ${words}`)) + 1);

test("the plan for one task has its section, its notes and what is for everyone, and no other task", () => {
  expect(planFor("a2")).toBe(`# Plan

Words for everyone.

## Epic A
> Goal: a

- [ ] a2
  > AC: two
  - detail
## Notes
Kept.
`);
  expect(planFor("b1.1")).toContain("## Epic B\n### Deep\n  - [ ] b1.1\n");
});

test("one box is left, whichever task it is, and boxes in code are no tasks", () => {
  const text = `${PLAN}\n\`\`\`\n- [ ] an example\n\`\`\`\n`;
  for (const { line, text: words } of parsePlan(text, []).boxes)
    expect(parsePlan(oneTaskPlan(text, line), []).boxes.map((box) => box.text)).toEqual([words]);
  expect(oneTaskPlan(text, 0)).toContain("- [ ] an example");
});

test("a lone carriage return ends a line, as it does where the boxes are counted", () => {
  const text = "- [ ] one\rits output\n- [ ] two\n- [ ] three\r- [ ] four";
  const { boxes } = parsePlan(text, []);
  expect(boxes.map((box) => box.text)).toEqual(["one", "two", "three", "four"]);
  for (const { line, text: words } of boxes)
    expect(parsePlan(oneTaskPlan(text, line), []).boxes.map((box) => box.text)).toEqual([words]);
});
