import { describe, expect, test } from "bun:test";
import { documentReport } from "../../../../src/setup/import/document-report.ts";
import { convertDocument } from "../../../../src/setup/import/formats/convert-document.ts";
import { idsWithoutTask, requirementNames } from "../../../../src/setup/import/read/requirement-names.ts";
import { readTasks } from "../../../../src/setup/import/read/requirements.ts";
import { newPlan } from "../../../../src/setup/plan/new-plan.ts";
import { boxText } from "../../../../src/setup/plan/task.ts";
import { growth, IN_PROPORTION } from "../../../growth.ts";

const found = (text: string) => readTasks(text, { specOf: null });
const boxes = (text: string) => found(text).map((task) => `${task.done ? "x" : " "} ${boxText(task)}`);

describe("the tasks of a document", () => {
  test.each([
    ["boxes, with their marks", "- [ ] a\n* [x] b\n1. [X] c\n- [] d\n", ["  a", "x b", "x c", "  d"]],
    [
      "code in a title, letter by letter",
      "- [ ] Escape `<script>`, `<div class=x>` and `</b>` in `**bold**`\n- [ ] Use `<a>` and `__init__`\n- [ ] Show `[x](y)` [now](`z`) and `2`\n",
      ["  Escape <script>, <div class=x> and </b> in **bold**", "  Use <a> and __init__", "  Show [x](y) now and 2"],
    ],
    ["links with brackets in them", "- [ ] See [the docs](http://a/b_(c)) first\n", ["  See the docs first"]],
    ["numbered lines", "1. one\n2) two\n", ["  one", "  two"]],
    [
      "numbered lines without a blank",
      "9. nine\n10.Ten\n11.eleven too\n12)完了\n",
      ["  nine", "  Ten", "  eleven too", "  完了"],
    ],
    ["and no numbers that begin a sentence", "- [ ] a\n\n2.x is old, 1.5 is older.\n3.js\n", ["  a"]],
    [
      "open boxes below a ticked one",
      "- [x] a\n  - [x] a1\n  - [ ] a2\n  - [x] a3\n    - [ ] a4\n- [ ] b\n  - [ ] b1\n",
      ["x a", "  a2", "x a3", "  a4", "  b"],
    ],
    [
      "what a table says is done",
      "## Tasks\n| Task | Done |\n|--|--|\n| a | [x] |\n| b | [ ] |\n| c | yes |\n| d | no |\n",
      ["x a", "  b", "x c", "  d"],
    ],
    ["a list of what is done", "## Tasks\n- a\n## Done\n- b\n- [x] c\n- [ ] d\n", ["  a", "x c", "  d"]],
    [
      "a feature that is called as what is done",
      "# Todos\n## Filters\n### Active\nShows the open ones.\n### Completed\nShows the done ones.\n",
      ["  Active", "  Completed"],
    ],
    ["ballot boxes, in a list or not", "- ☐ a\n- ☑ b\n  * ☒ b1\n☐ c\n☑\ufe0f d\n", ["  a", "x b", "  c", "x d"]],
    ["CRLF", "- [ ] a\r\n1. one\r\n", ["  a", "  one"]],
    ["a line separator of a word processor", "- [ ] a\u2028b\n- [ ] c\n", ["  a b", "  c"]],
    ["lists of features", "# App\n## Features\n- login\n- logout\n## Goals\n- be rich\n", ["  login", "  logout"]],
    [
      "ids anywhere except in explanations",
      "## Search\n- FR-1: find\n- FR-2: sort\n## Risks\n- R-1: rain\n",
      ["  FR-1: find", "  FR-2: sort"],
    ],
    [
      "headings with an id",
      "## 3. Requirements\n### FR-1 Sign in\nText.\n### FR-2: Sign out\n",
      ["  FR-1: Sign in", "  FR-2: Sign out"],
    ],
    ["headings that end in a hash", "## Requirements\n### FR-1 Port to C#\nText.\n", ["  FR-1: Port to C#"]],
    ["bold ids", "## Functional\n- **FR-1**: find\n- **FR-2: sort** all\n", ["  FR-1: find", "  FR-2: sort all"]],
    [
      "stories",
      "## Epic 1: Accounts\n### Story 1.1: Sign in\nAs a user, I want to sign in.\n### Story 1.2: Out\n",
      ["  Story 1.1: Sign in", "  Story 1.2: Out"],
    ],
    [
      "sentences that are stories",
      "## Use\n- As a cook, I want a timer so that nothing burns\n- As an owner, I can see sales\n",
      ["  As a cook, I want a timer so that nothing burns", "  As an owner, I can see sales"],
    ],
    [
      "rows of a table",
      "## Requirements\n| ID | Requirement | Priority |\n|---|---|---|\n| FR-1 | Find | Must |\n| FR-2 | Sort \\| filter | Low |\n",
      ["  FR-1: Find", "  FR-2: Sort | filter"],
    ],
    [
      "a described feature",
      "# App\n## Dark mode\nThe app has a dark mode.\n- follows the system\n- can be switched\n",
      ["  Dark mode"],
    ],
    ["the text outside code fences", "```\n- [ ] a\n```\n- [ ] b\n", ["  b"]],
    ["a document without any task, as one task", "# Chess\nA game for two.\n", ["  Build what is described: Chess"]],
    ["an empty document, as none", "\n", []],
    ["a title alone, as none", "# Empty\n", []],
  ])("are read from: %s", (_, text, tasks) => expect(boxes(text)).toEqual(tasks));

  test("have their criteria below them", () => {
    const [one, two] = found(
      "### FR-1 Sign in\n#### Acceptance criteria\n- [ ] wrong password says so\n- three tries\n### FR-2 Out\nGiven I am in\nWhen I leave\n- steps\n",
    );
    expect(one?.details).toEqual(["wrong password says so", "three tries"]);
    expect(two).toMatchObject({ id: "FR-2" });
    expect(two?.details.join(" ")).toContain("Given I am in");
  });

  test.each([
    ["## Must have\n- a", "high"],
    ["## Nice to have\n- a", "optional"],
    ["## Features\n- a (P0)", "high"],
    ["## Features\n- [Low] a", "low"],
    ["## Features\n- the system must do a", "medium"],
    ["## Phase 1\n- a", "high"],
    ["| ID | Title | MoSCoW |\n|-|-|-|\n| A-1 | x | Should |", "medium"],
    ["| ID | Title | MoSCoW |\n|-|-|-|\n| A-1 | x | Could |", "low"],
  ])("in %p have the priority %s", (text, priority) =>
    expect(found(text).map((task) => task.priority)).toEqual([priority] as never),
  );

  test("link to their places in the specs", () => {
    const [task] = readTasks("# A\n\n## FR-1 Sign in\n", { specOf: (line) => `specs/x.md:${line}` });
    expect(task?.details).toEqual(["Spec: specs/x.md:3"]);
  });

  test.each<[string, (size: number) => string]>([
    ["brackets", (size) => `- ${"[".repeat(size)}`],
    ["links", (size) => `- ${"[a](".repeat(size / 4)}`],
    ["stars", (size) => `${"*".repeat(size)} x`],
    ["bars", (size) => "|".repeat(size)],
    ["blanks", (size) => `# ${" ".repeat(size)}x`],
    ["a story", (size) => `As a ${"x ".repeat(size / 2)}`],
  ])("are read in linear time from a line of %s", async (_, text) => {
    // From about 65,000 stars on, JavaScriptCore takes a hundred times as long for each: a step, no growth.
    expect(await growth(text, found, 50_000)).toBeLessThan(IN_PROPORTION);
  });

  test.each<[string, (n: number) => string]>([
    ["of many features", (n) => `## FR-${n} Feature\n- item\n\`\`\`\n`],
    ["of one paragraph", (n) => `${n} words and words`],
  ])("are read in linear time from a long document %s", async (_, line) => {
    const text = (lines: number) => Array.from({ length: lines }, (_, n) => line(n)).join("\n");
    expect(found(text(100)).length).toBeGreaterThan(0);
    expect(await growth(text, found, 40_000)).toBeLessThan(IN_PROPORTION);
  });

  test("become plan and specs in linear time from a table that is as wide as it is long", async () => {
    const text = (n: number) => `# F\n|${" a |".repeat(n)}\n|${"-|".repeat(n)}\n${"| b |\n".repeat(n)}`;
    const convert = (given: string) => {
      const { tasks } = convertDocument({ name: "a.md", text: given });
      return [idsWithoutTask(given, tasks), requirementNames(given), documentReport(given, tasks)];
    };
    expect(await growth(text, convert, 24_000)).toBeLessThan(IN_PROPORTION);
  });
});

test.each([
  "Out of scope for v1",
  "12. Out of scope for v1, ideas for later",
  "Out-of-scope (v1)",
  "Ideas for later",
  "Parking lot",
  "Parking lot: later",
  "Open points",
  "Open questions",
  "Open questions for the team",
  "Open issues and decisions",
  "Not now",
  "Not in scope of this release",
  "Won't have",
  "Won’t have in v1",
  "Non-goals of the first version",
  "Deferred to v2",
])("nothing below the heading %p is a task", (title) => {
  const below = "- [ ] a\n- FR-2: b\n\nAs a user, I want c.\n\n### FR-3 d\n\n- e\n";
  expect(boxes(`## Features\n- x\n## ${title}\n${below}## Search\nFinds a word.\n`)).toEqual(["  x", "  Search"]);
});

test.each(["Open issues list", "Parking lot gates", "Deferred payment", "Notable users"])(
  "a feature called %p is a task",
  (title) => expect(boxes(`## ${title}\nIt does this.\n`)).toEqual([`  ${title}`]),
);

test("a milestone's title is no task, but its boxes and lists are", () => {
  const milestones =
    "### M1: Walking skeleton\nFR-1 works.\n## M2 – Payments\nAll pay.\n## Phase 3\nWords.\n- [ ] Do it\n";
  expect(boxes(`## Features\n### FR-1: Sign in\nText.\n## Milestones\n${milestones}`)).toEqual([
    "  FR-1: Sign in",
    "  Do it",
  ]);
  expect(boxes("## M1 Mac support\nIt runs.\n")).toEqual(["  M1 Mac support"]);
});

test("a box with the words of a ticked one is a task of its own while it is open", () => {
  const planned = (text: string) =>
    convertDocument({ name: "x.md", text }).tasks.map(({ title, done, group = "" }) => [title, done, group]);
  expect(planned("## Back end tasks\n- [x] test\n## Front end tasks\n- [ ] test\n")).toEqual([
    ["test", true, "Back end tasks"],
    ["test", false, "Front end tasks"],
  ]);
  expect(planned("- [x] test\n- [ ] deploy\n- [ ] Test.\n")).toEqual([
    ["Test.", false, ""],
    ["deploy", false, ""],
  ]);
});

test("parts with the same words of different tasks are different tasks", () => {
  const text = "- [x] Sign in\n  - [ ] Tests\n- [x] Sign out\n  - [ ] Tests\n";
  const plan = newPlan("x", convertDocument({ name: "x.md", text }).tasks);
  expect(plan.match(/^- \[ \] Tests\n {2}> Part of: .*/gm)).toEqual([
    "- [ ] Tests\n  > Part of: Sign in",
    "- [ ] Tests\n  > Part of: Sign out",
  ]);
});

describe("the list of another tool", () => {
  test("of spec-kit is its boxes, below the headings of their phases", () => {
    const text = `# Tasks: Albums

## Format: \`[ID] [P?] [Story]\`

- **[P]**: can run in parallel

## Path Conventions

- **Single project**: \`src/\`

## Phase 1: Setup

- [X] T001 Create the project
- [ ] T002 [P] Configure the linter
  - with the rules of the team

## Phase 3: User Story 1 - Albums (Priority: P1)

**Independent Test**: one album

### Tests for User Story 1

- [ ] T006 [P] [US1] Contract test (FR-001)

## Phase 4: Changelog

- [ ] T007 Say what changed

## Dependencies & Execution Order

- **Setup (Phase 1)**: no dependencies

## Implementation Strategy

1. Complete Phase 1
2. **STOP and VALIDATE**
`;
    expect(found(text)).toMatchObject([
      { title: "T001 Create the project", done: true },
      { title: "T002 [P] Configure the linter", done: false, details: ["with the rules of the team"] },
      { id: null, title: "T006 [P] [US1] Contract test (FR-001)", group: "Tests for User Story 1" },
      { title: "T007 Say what changed", group: "Phase 4: Changelog" },
    ]);
    expect(found(text)).toHaveLength(4);
    const folder = `# Spec\n\n### User Story 1 - Albums\n\n- **FR-001**: System MUST store albums\n\n${text}`;
    expect(found(folder)).toHaveLength(4);
  });

  test("of OpenSpec is its boxes, in their order", () => {
    const text =
      "# Change\n## Why\n- people wait\n## 1. Must haves\n- [x] 1.1 Add a table\n- [ ] 1.2 Fill it\n  - [ ] 1.2.1 Old rows\n## 2. Tests\n- [ ] 2.1 Cover it\n";
    expect(boxes(text)).toEqual(["x 1.1 Add a table", "  1.2 Fill it", "  2.1 Cover it"]);
    expect(found(text)).toMatchObject([
      { group: "Must haves" },
      { group: "Must haves", priority: "medium", details: ["1.2.1 Old rows"] },
      { group: "Tests", priority: "medium" },
    ]);
  });

  test("of ralphex is its sections, done when all their steps are", () => {
    const text = `# Search

## Validation Commands

- \`go test ./...\`

## Development Approach

- small steps

## Implementation Steps

### Task 1: Index

**Files:**
- Create: \`a.go\`

- [x] write it
- [x] test it

### Task 2: Query

- [x] parse
- [ ] rank

#### Notes

- [ ] say how

## Post-Completion

- [ ] try it by hand
`;
    expect(boxes(text)).toEqual(["x Task 1: Index", "  Task 2: Query"]);
    expect(found(text)[1]?.details).toEqual(["[x] parse", "rank", "say how"]);
    // A task without steps is one too: then the document is none of ralphex.
    expect(boxes(`${text}\n### Task 3: Docs\n\n- update the README\n`)).toContain("  Task 3: Docs");
  });
});

test("an id that is only mentioned is no second task", () => {
  const text = "## Features\n- FR-1: In\n- FR-2: Out\n## Milestones\n- M1\n  - FR-1\n  - FR-2 and FR-1\n";
  expect(boxes(text)).toEqual(["  FR-1: In", "  FR-2: Out"]);
});

test("a story below a name is that task's text", () => {
  const text = "## User stories\nUS-1: Lend a book\n\nAs a lender, I want to lend, so that others read.\n\nUS-2: Out\n";
  expect(found(text)).toMatchObject([
    { id: "US-1", details: ["As a lender, I want to lend, so that others read."] },
    { id: "US-2", details: [] },
  ]);
});

test("an open box below a ticked one names what it is part of; one below an open box is a detail of it", () => {
  const tasks = found("- [x] Sign in\n  - [ ] Errors\n  - [ ] Tests\n- [ ] Sign out\n  - [ ] Tests\n");
  expect(tasks.map(({ title, done, details }) => ({ title, done, details }))).toEqual([
    { title: "Sign in", done: true, details: [] },
    { title: "Errors", done: false, details: ["Part of: Sign in"] },
    { title: "Tests", done: false, details: ["Part of: Sign in"] },
    { title: "Sign out", done: false, details: ["Tests"] },
  ]);
});

test("the names of requirements are ids, and the headings of features", () => {
  const text =
    "# App\n## Goals\n- G-1: x\n## Requirements\n### FR-1 In\n- FR-1.1: a\n### Dark mode\nIt is dark.\n#### Acceptance criteria\n- x\n";
  expect(requirementNames(text)).toEqual(["FR-1", "FR-1.1", "Dark mode"]);
});
