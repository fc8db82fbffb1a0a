import { expect, test } from "bun:test";
import { parsePlan, tickedTasks } from "../../../src/core/plan/fix-plan.ts";

test("a title is known by its first 200 characters, so that long ones that differ there are told apart", () => {
  const isOptional = (title: string, name: string) => parsePlan(`## ${title}\n- [ ] a`, [name]).tasks[0]?.optional;
  const long = "t".repeat(150);
  expect([isOptional(`${long}a`, `${long}a`), isOptional(`${long}a`, `${long}b`)]).toEqual([true, false]);
});

const plan = (text: string) => parsePlan(text, ["Optional"]);

test("ticked are the boxes that were open before and are no longer, in the order of the plan", () => {
  const before = plan("## Optional\n- [ ] first\n## Core\n- [ ] second\n- [ ] third\n- [x] old");
  const after = plan("## Optional\n- [x] first\n## Core\n- [x] second\n- [ ] third\n- [x] old");
  expect(tickedTasks(before, after)).toEqual(["first", "second"]);
});

test("no box is called ticked when none was, or when one of the two plans is unknown", () => {
  const before = plan("- [ ] a\n- [x] b");
  expect(tickedTasks(before, plan("- [x] b"))).toEqual([]);
  expect(tickedTasks(before, plan("- [ ] a\n- [ ] b"))).toEqual([]);
  expect(tickedTasks(null, before)).toEqual([]);
  expect(tickedTasks(before, null)).toEqual([]);
});

test("no more than 20 ticked boxes are named", () => {
  const boxes = (mark: string) => plan(Array.from({ length: 30 }, (_, n) => `- [${mark}] ${n}`).join("\n"));
  expect(tickedTasks(boxes(" "), boxes("x"))).toHaveLength(20);
});
