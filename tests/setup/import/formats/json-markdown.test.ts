import { describe, expect, test } from "bun:test";
import { convertDocument } from "../../../../src/setup/import/formats/convert-document.ts";
import { jsonMarkdown } from "../../../../src/setup/import/formats/json-markdown.ts";
import { boxText } from "../../../../src/setup/plan/task.ts";

const tasks = (value: unknown) => convertDocument({ name: "x.json", text: jsonMarkdown(value, "x") }).tasks;
const boxes = (value: unknown) =>
  tasks(value).map((task) => `${task.done ? "x" : " "} ${task.priority} ${boxText(task)}`);

describe("the tasks of an export from", () => {
  test("Task Master have their parts, states and urgencies, without cancelled ones", () => {
    const list = [
      { id: 1, title: "Set up", details: "Use vite.\n\n## Steps\n- a", status: "done", priority: "high", subtasks: [] },
      {
        id: 2,
        title: "Auth",
        status: "in-progress",
        priority: "low",
        dependencies: [1],
        testStrategy:
          "Sign in and out again, with a right and a wrong password, in every browser that is supported at all.",
        subtasks: [
          { id: 1, title: "Form", status: "done", dependencies: [] },
          { id: 2, title: "Reset", status: "pending", dependencies: ["2.1"] },
        ],
      },
      { id: 3, title: "Fax", status: "cancelled", subtasks: [] },
      { id: 4, title: "Pay", status: "pending", priority: "medium", subtasks: [] },
    ];
    const wanted = ["x high Task 1: Set up", "x low Task 2.1: Form", "  low Task 2.2: Reset", "  medium Task 4: Pay"];
    expect(boxes({ tasks: list })).toEqual(wanted);
    expect(boxes({ master: { tasks: list, metadata: { created: "2026-01-01" } } })).toEqual(wanted);
    expect(tasks({ tasks: list })[2]?.group).toBe("Task 2: Auth");
  });

  test("prd.json follow its numbers, and a passing one is done", () => {
    const stories = [
      {
        id: "US-002",
        title: "Pay",
        acceptanceCriteria: ["by card", "by invoice"],
        priority: 2,
        passes: false,
        notes: "",
      },
      { id: "US-001", title: "Look", acceptanceCriteria: ["at goods"], priority: 1, passes: true },
    ];
    expect(boxes({ project: "Shop", userStories: stories })).toEqual(["x medium US-001: Look", "  medium US-002: Pay"]);
    expect(tasks({ userStories: stories })[1]?.details).toEqual([
      "by card",
      "by invoice",
      "Spec: .ralph/specs/requirements.md#us-002-pay",
    ]);
  });
});

describe("JSON of any other shape", () => {
  test("becomes tasks at any depth", () => {
    const value = {
      title: "App",
      epics: [
        {
          id: "E1",
          name: "Accounts",
          stories: [
            {
              id: "S1",
              title: "In",
              acceptance_criteria: [JSON.parse('{"given": "a", "when": "b", "then": "c"}')],
              tasks: [{ title: "Form" }],
            },
            { id: "S2", story: "As a user, I want to leave" },
          ],
        },
      ],
      requirements: { functional: [{ id: "FR-1", description: "It does x" }], "non-functional": ["fast"] },
      features: { search: { title: "Search", rules: ["any word"] } },
      outOfScope: ["fax"],
      personas: [{ name: "Ada", age: 40 }],
      goals: [{ title: "Be rich", by: "2027" }],
    };
    expect(tasks(value).map(({ group = "", ...task }) => `${group} > ${boxText(task)}`)).toEqual([
      "E1: Accounts > S1: In",
      "E1: Accounts > S2: As a user, I want to leave",
      " > FR-1: It does x",
      " > fast",
      " > Search",
    ]);
    expect(tasks(value)[0]?.details.slice(0, 2)).toEqual(["Given a, when b, then c", "Form"]);
  });

  test("of strings alone becomes a list of tasks", () =>
    expect(boxes(["a", "b"])).toEqual(["  medium a", "  medium b"]));

  test("loses no word", () => {
    const value = { a: { b: [{ c: "one", d: { e: ["two", { f: "three" }] } }] }, g: [["four"], 5], h: "six\n# seven" };
    for (const word of ["one", "two", "three", "four", "5", "six", "seven"])
      expect(jsonMarkdown(value, "x")).toContain(word);
  });
});

test.each([[[]], [[[]]], [null]])("%j holds no task", (value) => {
  expect(tasks(value)).toEqual([]);
});
