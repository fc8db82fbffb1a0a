import { describe, expect, test } from "bun:test";
import { changedLines, done, listOf, ready, waits } from "./list-of.ts";

const LIST = `# Tasks: Notes

## Format: \`[ID] [P?] [Story] Description\`

- **[P]**: Can run in parallel

## Phase 1: Setup

- [x] T001 Create the project
- [ ] T002 Add the linter
- [ ] T003 [P] Add the formatter
- [ ] T004 [P] Add the tests' runner

## Phase 2: Foundational (blocks every user story)

- [ ] T005 The database

## Phase 3: User Story 1 - Write (Priority: P1) 🎯 MVP

### Tests

- [ ] T006 [P] [US1] Test in tests/write.py
- [ ] T007 [P] [US1] Test in tests/save.py

### Implementation

- [ ] T008 [P] [US1] Model in src/note.py
- [ ] T009 [US1] Service in src/service.py (depends on T008, T005)

## Phase 4: Listing

- [ ] T010 [P] [US2] Model in src/list.py
- [ ] T011 [US2] Page in src/page.py (depends on T006-T008)

## Phase N: Polish

- [ ] T012 [P] Documentation

## Dependencies

- T005 before all stories
`;

describe("a list of spec-kit", () => {
  test("goes phase by phase, stories side by side, and [P] tasks that stand together side by side", () => {
    const list = listOf("specs/001-notes/tasks.md", LIST);
    expect([list.source.form, list.faults]).toEqual(["spec-kit", []]);
    expect(waits(list)).toEqual({
      T001: [],
      T002: [],
      T003: ["T002"],
      T004: ["T002"],
      T005: ["T003", "T004"],
      T006: ["T005"],
      T007: ["T005"],
      T008: ["T006", "T007"],
      T009: ["T008", "T005"],
      T010: ["T005"],
      T011: ["T010", "T006", "T007", "T008"],
      T012: ["T009", "T011"],
    });
    expect(list.tasks.find(({ name }) => name === "T009")?.section).toBe(
      "Phase 3: User Story 1 - Write (Priority: P1) 🎯 MVP",
    );
  });

  test("lets a phase begin only when every task before it is ticked, in whatever order that was", () => {
    const odd = LIST.replace("[ ] T003", "[x] T003").replace("[ ] T004", "[X] T004");
    expect(ready(listOf("tasks.md", odd))).toEqual(["T002"]);
    expect(ready(listOf("tasks.md", odd.replace("[ ] T002", "[x] T002")))).toEqual(["T005"]);
    const founded = LIST.replace(/\[ \] (T00[2-5])/g, "[X] $1");
    expect(ready(listOf("tasks.md", founded))).toEqual(["T006", "T007", "T010"]);
  });

  test("keeps older phases without stories one after the other", () => {
    const list = listOf(
      "tasks.md",
      "## Phase 3.1: Setup\n- [ ] T001 a\n## Phase 3.2: Tests\n- [ ] T002 [P] b\n- [ ] T003 [P] c\n## Phase 3.3: Core\n- [ ] T004 [P] d\n",
    );
    expect(waits(list)).toEqual({ T001: [], T002: ["T001"], T003: ["T001"], T004: ["T002", "T003"] });
  });

  test("is ticked with a capital X, as its own command does, with its line ends as they were", () => {
    const text = LIST.replaceAll("\n", "\r\n");
    expect(changedLines(text, done("tasks.md", text, "T008"))).toEqual([
      ["- [ ] T008 [P] [US1] Model in src/note.py\r", "- [X] T008 [P] [US1] Model in src/note.py\r"],
    ]);
    expect(done("tasks.md", LIST, "T001")).toBeNull();
  });

  test("tells of a task that depends on none of the list", () => {
    const list = listOf("tasks.md", LIST.replace("T008, T005", "T008, T099"));
    expect(list.faults).toEqual([
      'The task "T009 [US1] Service in src/service.py (depends on T008, T099)" waits for T099, which is no task of the list.',
    ]);
  });

  test("gives a worker a plan with the one task, what stands below it, and where it is from", () => {
    const list = listOf(
      "specs/001/tasks.md",
      "## Phase 1: Setup\n- [ ] T001 Create\n  in two steps:\n  - [ ] the first\n- [ ] T002 Next\n",
    );
    const [task] = list.tasks;
    if (task === undefined) throw new Error("no task");
    expect(list.source.planOf(task)).toBe(
      "## Phase 1: Setup\n\n- [ ] T001 Create\n  in two steps:\n  - [ ] the first\n  > From specs/001/tasks.md; what lies beside it says more. Do not change that file: the box here is what counts.\n",
    );
  });
});

test("what stands below a box is its own until a line that is not indented further, blank lines too", () => {
  const list = listOf(
    "tasks.md",
    "# Only a title\n\n- [ ] T001 a\n\n      deep\n    less\n\n  last\n\n* [ ] **T002** b (after: T001)\n  - [x] one\n  - [ ] two\n  - [x] three\n<!-- x --> - [ ] T003 [p] c\n",
  );
  expect(list.tasks.map(({ name, section, done }) => [name, section, done])).toEqual([
    ["T001", "Only a title", false],
    ["T002", "Only a title", false],
    ["T003", "Only a title", false],
  ]);
  expect(list.tasks[0]?.details).toEqual(["", "    deep", "  less", "", "last"]);
  expect(waits(list)).toEqual({ T001: [], T002: ["T001"], T003: ["T002"] });
  expect(done("tasks.md", "<!-- x --> - [ ] T003 [p] c\n", "T003")).toBe("<!-- x --> - [X] T003 [p] c\n");
  expect(done("tasks.md", "<!--\n- [ ] b --> - <!-- [ ] --> [ ] T003 c\n", "T003")).toBe(
    "<!--\n- [ ] b --> - <!-- [ ] --> [X] T003 c\n",
  );
});
