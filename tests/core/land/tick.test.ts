import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { withTicked } from "../../../src/core/land/tick.ts";
import { planSource } from "../../../src/core/tasks/task-source.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const PLAN =
  "# Plan\r\n\r\n## One\r\n- [ ] same\r\n- [ ] same\r\n## Two\r\n- [ ] same (after: x)\r\n* [x] done\r\n  - [ ] other";

test("the box of a task is ticked, and all else stays byte for byte", () => {
  const ids = planSource(PLAN, [], hash).graph.tasks.map(({ id }) => id);
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
  const lines = PLAN.split("\n");
  for (const [at, line] of [3, 4, 6].entries()) {
    const ticked = withTicked(PLAN, { id: ids[at] ?? "", text: "same" }, hash);
    expect(ticked).toBe(lines.with(line, lines[line]?.replace("[ ]", "[x]") ?? "").join("\n"));
  }
  expect(withTicked(PLAN, { id: ids[4] ?? "", text: "other" }, hash)).toBe(PLAN.replace("[ ] other", "[x] other"));
});

test("a task that moved to another section is found by its words; one that is ticked or gone changes nothing", () => {
  expect(withTicked(PLAN, { id: "0", text: "other" }, hash)).toBe(PLAN.replace("[ ] other", "[x] other"));
  expect(withTicked(PLAN, { id: "0", text: "done" }, hash)).toBeNull();
  expect(withTicked(PLAN, { id: "0", text: "nowhere" }, hash)).toBeNull();
});

test("a line end of any kind and a comment before a box put no tick elsewhere", () => {
  const plan = "\uFEFF- [ ] zero\n- [ ] one\rits output\n- [ ] two\r\n<!-- 7 -->- [ ] three\n- [ ] four\r- [ ] five";
  const { tasks } = planSource(plan, [], hash).graph;
  expect(tasks.map(({ text }) => text)).toEqual(["zero", "one", "two", "three", "four", "five"]);
  for (const { id, text } of tasks)
    expect(withTicked(plan, { id, text }, hash)).toBe(plan.replace(`[ ] ${text}`, `[x] ${text}`));
  const marked = "\uFEFF- [ ] <!-- 7 --> a\n- [ ] b\n";
  for (const { id, text } of planSource(marked, [], hash).graph.tasks)
    expect(withTicked(marked, { id, text }, hash)).toBe(
      marked.replace(text === "a" ? "[ ] <" : "[ ] b", text === "a" ? "[x] <" : "[x] b"),
    );
});

test("a box without its blank is ticked, behind a comment too", () => {
  const plan = "- [] one\n<!-- 7 -->- [] two\n  - [] three\n";
  for (const { id, text } of planSource(plan, [], hash).graph.tasks)
    expect(withTicked(plan, { id, text }, hash)).toBe(plan.replace(`[] ${text}`, `[x] ${text}`));
});
