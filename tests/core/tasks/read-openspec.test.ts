import { describe, expect, test } from "bun:test";
import { listSource } from "../../../src/core/tasks/task-source.ts";
import { changedLines, done, hash, listOf, OPTIONS, ready, waits } from "./list-of.ts";

const PATH = "openspec/changes/add-archive/tasks.md";
const LIST = `# Implementation Tasks

## 1. Core
- [x] 1.1 Create the command
- [ ] 1.2 Select the change
  - [x] 1.2.1 by its name
  - [ ] 1.2.2 by asking

## 2. Testing
- [ ] 2.1 Test it
- [ ] 2.2 Run all tests
`;

describe("a list of OpenSpec", () => {
  test("goes in its order, a box with those below it as one task", () => {
    const list = listOf(PATH, LIST);
    expect(list.source.form).toBe("OpenSpec");
    expect(waits(list)).toEqual({ "1.1": [], "1.2": [], "2.1": ["1.2"], "2.2": ["2.1"] });
    expect(ready(list)).toEqual(["1.2"]);
    expect(list.tasks[1]?.details).toEqual(["- [x] 1.2.1 by its name", "- [ ] 1.2.2 by asking"]);
  });

  test("goes as its boxes say, if any says it", () => {
    const said = LIST.replace("Test it", "Test it (after: 1.1)").replace(
      "Run all tests",
      "Run all tests (after: 1.2, 2.1)",
    );
    expect(waits(listOf(PATH, said))).toEqual({ "1.1": [], "1.2": [], "2.1": ["1.1"], "2.2": ["1.2", "2.1"] });
  });

  test("is ticked with the boxes below; a box whose smaller ones are open is open", () => {
    expect(changedLines(LIST, done(PATH, LIST, "1.2"))).toEqual([
      ["- [ ] 1.2 Select the change", "- [x] 1.2 Select the change"],
      ["  - [ ] 1.2.2 by asking", "  - [x] 1.2.2 by asking"],
    ]);
    const ahead = LIST.replace("[ ] 1.2 ", "[x] 1.2 ");
    expect(changedLines(ahead, done(PATH, ahead, "1.2")).map(([, now]) => now)).toEqual(["  - [x] 1.2.2 by asking"]);
  });
});

test("a plan of ralph's own, or a file of another kind, is none of these lists", () => {
  for (const [path, text] of [
    ["fix_plan.md", "## High\n- [ ] Add the login\n- [ ] 1 thing\n"],
    ["tasks.md", "# Nothing here\n"],
    ["notes.txt", LIST],
    ["package.json", '{"name": "x", "tasks": {"build": "make"}}'],
    ["tsconfig.json", "{"],
    ["log.jsonl", '{"level": "info"}\n'],
  ] as const)
    expect(listSource({ path, text }, OPTIONS, hash)).toBeNull();
});
