import { expect, test } from "bun:test";
import { parsePlan, tickedTasks } from "../../../src/core/plan/fix-plan.ts";

test("section titles are compared by their first 200 characters", () => {
  const isOptional = (title: string, name: string) => parsePlan(`## ${title}\n- [ ] a`, [name]).tasks[0]?.optional;
  const long = "t".repeat(150);
  expect([isOptional(`${long}a`, `${long}a`), isOptional(`${long}a`, `${long}b`)]).toEqual([true, false]);
});

const plan = (text: string) => parsePlan(text, ["Optional"]);

test("the ticked tasks are the boxes that were open before, in the order of the plan", () => {
  const before = plan("## Optional\n- [ ] first\n## Core\n- [ ] second\n- [ ] third\n- [x] old");
  const after = plan("## Optional\n- [x] first\n## Core\n- [x] second\n- [ ] third\n- [x] old");
  expect(tickedTasks(before, after)).toEqual(["first", "second"]);
});

test("no task counts as ticked without a tick, or with an unknown plan", () => {
  const before = plan("- [ ] a\n- [x] b");
  expect(tickedTasks(before, plan("- [x] b"))).toEqual([]);
  expect(tickedTasks(before, plan("- [ ] a\n- [ ] b"))).toEqual([]);
  expect(tickedTasks(null, before)).toEqual([]);
  expect(tickedTasks(before, null)).toEqual([]);
});

test("at most 20 ticked tasks are named", () => {
  const boxes = (mark: string) => plan(Array.from({ length: 30 }, (_, n) => `- [${mark}] ${n}`).join("\n"));
  expect(tickedTasks(boxes(" "), boxes("x"))).toHaveLength(20);
});
