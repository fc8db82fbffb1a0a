import { describe, expect, test } from "bun:test";
import { tagIn } from "../../../src/core/tasks/read-task-master.ts";
import { changedLines, done, listOf, ready, waits } from "./list-of.ts";

type Fields = Record<string, unknown>;
const task = (id: number | string, more: Fields = {}): Fields => ({
  id,
  title: `Title ${id}`,
  description: "What it is",
  status: "pending",
  dependencies: [],
  priority: "medium",
  ...more,
});
const PATH = ".taskmaster/tasks/tasks.json";
const tagged = (lists: Record<string, Fields[]>) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(lists).map(([tag, tasks]) => [tag, { tasks, metadata: {} }])),
    null,
    2,
  );
const LIST = tagged({
  master: [
    task(1, { status: "done" }),
    task(2, {
      dependencies: [1],
      subtasks: [task(1, { status: "done" }), task(2, { dependencies: [1] }), task(3, { dependencies: ["2.2"] })],
    }),
    task(3, { dependencies: ["2"], details: "First\nthen", testStrategy: "Run it" }),
    task(4, { priority: "high", status: "in-progress" }),
    task(5, { status: "deferred", subtasks: [task(1)] }),
    task(6, { dependencies: [5] }),
  ],
});

describe("a list of Task Master", () => {
  test("has subtasks without a status as open ones, and their task is not done before them", () => {
    const part = (id: number, more: Fields = {}) => ({ id, title: `Part ${id}`, ...more });
    const text = tagged({ master: [task(1, { subtasks: [part(1, { status: "pending" }), part(2)] })] });
    const list = listOf(PATH, text);
    expect(ready(list)).toEqual(["1.1", "1.2"]);
    const first = done(PATH, text, "1.1") ?? "";
    expect(changedLines(text, first)).toHaveLength(1);
    expect(ready(listOf(PATH, first))).toEqual(["1.2"]);
    expect(JSON.parse(done(PATH, first, "1.2") ?? "").master.tasks[0]).toMatchObject({
      status: "done",
      subtasks: [{ status: "done" }, { status: "done" }],
    });
  });

  test("has subtasks as tasks; who waits for a task waits for all of its parts", () => {
    const list = listOf(PATH, LIST);
    expect([list.source.form, list.faults]).toEqual(["Task Master", []]);
    expect(waits(list)).toEqual({
      "4": [],
      "1": [],
      "2.1": ["1"],
      "2.2": ["2.1", "1"],
      "2.3": ["2.2", "1"],
      "3": ["2.1", "2.2", "2.3"],
      "5.1": [],
      "6": ["5.1"],
    });
    expect(ready(list)).toEqual(["4", "2.2"]);
    expect(list.tasks.find(({ name }) => name === "5.1")?.held).toBe("deferred");
    expect(list.tasks.find(({ name }) => name === "2.2")?.section).toBe("Title 2");
    expect(list.tasks.find(({ name }) => name === "3")?.details).toEqual([
      "> What it is",
      "> Details:",
      "> First",
      "> then",
      "> Test strategy: Run it",
    ]);
  });

  test("is read by its tag: the one asked for, else master, else the only one", () => {
    const two = tagged({ "v1.2": [task(1)], other: [task(2)] });
    expect(ready(listOf(PATH, two, "v1.2"))).toEqual(["1"]);
    expect(listOf(PATH, two).faults).toEqual(["The list has no tasks with the tag master; its tags are: v1.2, other."]);
    expect(ready(listOf(PATH, tagged({ "v1.2": [task(1)], empty: [] })))).toEqual(["1"]);
    expect(
      ready(listOf("tasks/tasks.json", JSON.stringify({ tasks: [task(1), task(2, { dependencies: [1] })] }))),
    ).toEqual(["1"]);
  });

  test("has the status done where one is done, and its task with the last part", () => {
    expect(changedLines(LIST, done(PATH, LIST, "4"))).toEqual([
      ['        "status": "in-progress",', '        "status": "done",'],
    ]);
    const first = done(PATH, LIST, "2.2") ?? "";
    expect(changedLines(LIST, first)).toHaveLength(1);
    expect(JSON.parse(first).master.tasks[1].status).toBe("pending");
    const both = done(PATH, first, "2.3") ?? "";
    expect(changedLines(first, both)).toHaveLength(2);
    expect(JSON.parse(both).master.tasks[1].status).toBe("done");
    expect(ready(listOf(PATH, both))).toEqual(["4", "3"]);
  });

  test("tells of what is not there, unless the task that names it is done", () => {
    const list = listOf(
      PATH,
      tagged({ master: [task(1, { dependencies: [9] }), task(2, { dependencies: [8], status: "done" })] }),
    );
    expect(list.faults).toEqual(['The task "Task 1: Title 1" waits for 9, which is no task of the list.']);
  });

  test("with a circle that is over has no fault", () => {
    const circle = (status: string) =>
      tagged({ master: [task(1, { dependencies: [2], status }), task(2, { dependencies: [1], status })] });
    expect(listOf(PATH, circle("done")).faults).toEqual([]);
    expect(listOf(PATH, circle("pending")).faults).toHaveLength(1);
  });
});

test("the tag that Task Master works on is the one in its state, if that says one", () => {
  expect(tagIn('{"currentTag": "loop"}')).toBe("loop");
  for (const text of ['{"currentTag": 1}', "{", '{"currentTag": ""}', "[]", ""]) expect(tagIn(text)).toBeNull();
});

test("a list has the most urgent first, without what is no task, and each part with what its task is about", () => {
  const part = { id: 1, title: "Part", status: "review" };
  const list = listOf(
    PATH,
    tagged({
      master: [
        task(1, { priority: "low" }),
        task(2, { priority: undefined, subtasks: [part, { ...part, id: 2, status: "undone" }, { title: "no id" }] }),
        task(3, { priority: "High", status: "Pending" }),
        { id: 4, title: "neither status nor dependencies" },
        { id: 5, title: " ", status: "pending" },
        { id: 6, title: "No dependencies", status: "completed" },
        { id: 7, title: "No status", dependencies: [] },
      ],
    }),
  );
  expect(list.tasks.map(({ name, done, held }) => [name, done, held])).toEqual([
    ["3", false, undefined],
    ["2.1", false, "review"],
    ["2.2", false, "undone"],
    ["6", true, undefined],
    ["7", false, undefined],
    ["1", false, undefined],
  ]);
  expect(list.tasks.every(({ optional }) => !optional)).toBe(true);
  expect(list.tasks[1]?.details).toEqual(["> Part of task 2: Title 2", "> What it is"]);
});
