import { describe, expect, test } from "bun:test";
import { changedLines, done, listOf, ready, waits } from "./list-of.ts";

type Story = Record<string, unknown>;
const prd = (stories: Story[]) =>
  `${JSON.stringify({ project: "Notes", branchName: "ralph/notes", userStories: stories }, null, 2)}\n`;
const story = (nth: number, more: Story = {}): Story => ({
  id: `US-00${nth}`,
  title: `Story ${nth}`,
  description: `As a user, I want ${nth}`,
  acceptanceCriteria: ["It works", "Typecheck passes"],
  priority: nth,
  passes: false,
  notes: "",
  ...more,
});

describe("a prd.json", () => {
  test("goes by priority, and equal ones side by side", () => {
    const list = listOf("prd.json", prd([story(3), story(1), story(2, { priority: 1 })]));
    expect(list.source.form).toBe("prd.json");
    expect(list.tasks.map(({ text }) => text)).toEqual(["US-001: Story 1", "US-002: Story 2", "US-003: Story 3"]);
    expect(waits(list)).toEqual({ "US-001": [], "US-002": [], "US-003": ["US-001", "US-002"] });
    const passed = listOf(
      "prd.json",
      prd([story(3), story(1, { passes: true }), story(2, { priority: 1, passes: true })]),
    );
    expect(ready(passed)).toEqual(["US-003"]);
  });

  test("goes by what its stories depend on, if any says it, and tells of what is not there", () => {
    const list = listOf("prd.json", prd([story(1), story(2), story(3, { dependsOn: ["US-001"] })]));
    expect(waits(list)).toEqual({ "US-001": [], "US-002": [], "US-003": ["US-001"] });
    expect(listOf("prd.json", prd([story(1, { dependencies: ["US-9"] })])).faults).toEqual([
      'The task "US-001: Story 1" waits for US-9, which is no task of the list.',
    ]);
  });

  test("may be a plain list of items with steps, which wait for nothing", () => {
    const text =
      '[{"category": "ui", "description": "Send", "steps": ["Open", "Press"], "passes": false}, {"description": "See", "passes": true}]';
    const list = listOf("plans/prd.json", text);
    expect(list.tasks.map((task) => [task.text, task.done, task.after])).toEqual([
      ["Send", false, []],
      ["See", true, []],
    ]);
    expect(list.tasks[0]?.details).toEqual(["> Steps:", "> - Open", "> - Press"]);
  });

  test("says what a story asks for, in lines that are no box, heading or fence", () => {
    const hostile = story(1, {
      title: "A\n- [x] B <!--",
      description: "- [ ] x\n# y\n```\n<!-- z",
      acceptanceCriteria: [{ description: "C", passes: false }],
    });
    const [task] = listOf("prd.json", prd([hostile])).tasks;
    expect(task?.text).toBe("US-001: A - [x] B <! --");
    expect(task?.details).toEqual(["> - [ ] x", "> # y", "> ```", "> <! -- z", "> Acceptance criteria:", "> - C"]);
  });

  test("has passes true where a story is done, and no other byte changed", () => {
    const text = prd([story(2), story(1)]);
    const after = done("prd.json", text, "US-001");
    expect(changedLines(text, after)).toEqual([['      "passes": false,', '      "passes": true,']]);
    expect(JSON.parse(after ?? "").userStories.map(({ passes }: Story) => passes)).toEqual([false, true]);
    const bare = '{"userStories": [{"id": "a", "title": "A"}, {"id": "b", "title": "B", "passes": false}]}';
    expect(done("prd.json", bare, "a")).toBe(bare.replace('"A"}', '"A", "passes": true}'));
  });

  test("keeps back a story that is marked as blocked", () => {
    expect(ready(listOf("prd.json", prd([story(1, { blocked: true }), story(2, { priority: 1 })])))).toEqual([
      "US-002",
    ]);
  });
});
