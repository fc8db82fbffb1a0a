import { describe, expect, test } from "bun:test";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { artifactKind, readArtifacts } from "../../../src/setup/bmad/artifacts.ts";
import { convertBmad } from "../../../src/setup/bmad/convert-bmad.ts";
import { mergePlan } from "../../../src/setup/plan/merge.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";
import { fakeFiles } from "../fake-files.ts";

const EPICS = `# Epics

## Epic 1: Accounts

People have accounts.

### Story 1.10: Sign out

As a user, I want to leave.

### Story 1.2: Sign in

As a user, I want to sign in,
so that I see my orders.

**Acceptance Criteria:**

**Given** I have an account
**When** I give my password
**Then** I see my orders

Given a wrong password
When I sign in
Then I am told so

## Epic 2: Orders

### Story 2.1: List

- Acceptance Criteria
- sorted by date
`;
const PRD =
  "# PRD\n\n## 1. Executive Summary\nA shop.\n## Functional Requirements:\nx\n## Non-Functional Requirements\ny\n## Scope\nz\n";
const FOLDER = "_bmad-output/planning-artifacts";
const convert = (files: Record<string, string>) => {
  const placed = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${FOLDER}/${path}`, text]));
  return convertBmad(readArtifacts(fakeFiles(placed), FOLDER), FOLDER);
};
const codes = (files: Record<string, string>) => convert(files).complaints.map(({ code }) => code);

describe("a BMAD plan", () => {
  const { content } = convert({ "prd.md": PRD, "epics.md": EPICS });

  test("becomes a box for each story, by number, with its criteria and its place", () => {
    expect(content.tasks.map(({ id, title, group }) => [id, title, group])).toEqual([
      ["Story 1.2", "Sign in", "Epic 1: Accounts"],
      ["Story 1.10", "Sign out", "Epic 1: Accounts"],
      ["Story 2.1", "List", "Epic 2: Orders"],
    ]);
    expect(content.tasks[0]?.details).toEqual([
      "As a user, I want to sign in,",
      "so that I see my orders.",
      "AC: Given I have an account, When I give my password, Then I see my orders",
      "AC: Given a wrong password, When I sign in, Then I am told so",
      "Spec: .ralph/specs/epics.md#story-12-sign-in",
    ]);
    expect(content.notes).toEqual(["Epic 1: Accounts: People have accounts."]);
  });

  test("keeps its documents as specs, with an index", () => {
    const files = Object.fromEntries(content.files.map(({ path, content: text }) => [path, text]));
    expect(files[".ralph/specs/epics.md"]).toBe(EPICS);
    expect(files[".ralph/SPECS_INDEX.md"]).toContain("| specs/prd.md | prd | critical | 1 kB |");
  });

  test("keeps its epics as sections of the plan, and ticks over a second import", () => {
    const plan = newPlan("shop", content.tasks).replace("- [ ] Story 1.2", "- [x] Story 1.2");
    expect(parsePlan(plan, []).tasks.map(({ section }) => section)).toEqual(["Epic 1: Accounts", "Epic 2: Orders"]);
    const more = convert({
      "epics.md": `${EPICS.replace("Story 1.2: Sign in", "Story 1.3: Sign in")}\n### Story 2.2: Filter\nx\n`,
    });
    const { text, added } = mergePlan(plan, more.content.tasks);
    expect(added.map(({ id }) => id)).toEqual(["Story 2.2"]);
    expect(text).toContain("- [x] Story 1.3: Sign in");
    expect(text.indexOf("Story 2.2")).toBeGreaterThan(text.indexOf("### Epic 2: Orders"));
    expect(parsePlan(text, []).counts).toMatchObject({ checked: 1, unchecked: 3 });
  });

  test("has its done stories from the sprint status, and none if that is unreadable", () => {
    const status =
      "development_status:\n  epic-1: done\n  1-2-sign-in: done # yes\n  1-10-sign-out: review\nother:\n  2-1-list: done\n";
    const done = (files: Record<string, string>) =>
      convert(files)
        .content.tasks.filter((task) => task.done)
        .map(({ id }) => id);
    expect(done({ "epics.md": EPICS, "sprint-status.yaml": status })).toEqual(["Story 1.2"]);
    expect(done({ "epics.md": EPICS, "sprint-status.yaml": "broken: [" })).toEqual([]);
    expect(codes({ "epics.md": EPICS, "sprint-status.yaml": "broken: [" })).toContain("W11");
  });
});

describe("the check of a plan", () => {
  test.each([
    ["W1", { "epics.md": EPICS }],
    ["W2", { "epics.md": EPICS }],
    [
      "W4",
      {
        "epics.md": EPICS,
        "prd.md": PRD.replace("Functional Requirements:", "X").replace("Non-X", "Non-Functional Requirements"),
      },
    ],
    ["W8", { "epics.md": EPICS }],
    ["W10", { "stories.md": "### Story 1.1: a\nb\n" }],
    ["I1", { "epics.md": EPICS }],
    ["I2", { "stories.md": "### Story 1.1: a\nb\n" }],
    ["E1", { "epics.md": EPICS, "readiness.md": "Verdict: **NO-GO**\n" }],
    ["E2", { "stories.md": "### Story A1: a\nb\n" }],
    ["E3", { "a-stories.md": "### Story 1.1: a\n", "b-stories.md": "### Story 1.1: b\n" }],
  ])("reports %s", (code, files) => expect(codes(files as unknown as Record<string, string>)).toContain(code));

  test("takes a sentence about the decision for no verdict", () => {
    expect(codes({ "epics.md": EPICS, "readiness.md": "There is no go/NO-GO decision yet.\n" })).not.toContain("E1");
  });
});

test.each([
  ["prd.md", "prd"],
  ["PRD/01-goals.md", "prd"],
  ["architecture.md", "architecture"],
  ["implementation-readiness-report.md", "readiness"],
  ["epics.md", "stories"],
  ["epics/epic-1.md", "stories"],
  ["sprint-status.yaml", "sprint-status"],
  ["history.md", "other"],
  ["prdx.md", "other"],
] as const)("the kind of the artifact %s is %s", (path, kind) => expect(artifactKind(path)).toBe(kind));

describe("the layouts of BMAD", () => {
  const PRD4 =
    "# P\n\n## Epic List\n\n1. Epic 1 Base: set up\n\n## Epic 1 Base\n\nSet it up.\n\n### Story 1.1 Setup\n\nAs a dev, I want it.\n\n#### Acceptance Criteria\n\n1: It builds.\n2: CI runs.\n\n### Story 1.2 Page\n\nA page.\n\n#### Acceptance Criteria\n\n1. Shows\n";
  const OWN =
    "# Story 1.1: Setup\n\n## Status\n\nDone\n\n## Story\n\n**As a** dev,\n**I want** it.\n\n## Acceptance Criteria\n\n1. It builds well.\n\n## Tasks / Subtasks\n\n- [ ] npm init\n\n## Dev Notes\n\nx\n";

  test("version 4: epics in the PRD, its parts, and a document for each started story", () => {
    const { content, complaints } = convert({
      "prd.md": PRD4,
      "prd/epic-1-base.md": PRD4,
      "stories/1.1.story.md": OWN,
    });
    expect(content.tasks).toEqual([
      {
        id: "Story 1.1",
        title: "Setup",
        priority: "high",
        done: true,
        details: [
          "As a dev,",
          "I want it.",
          "AC: It builds well.",
          "Spec: .ralph/specs/stories/1.1.story.md#story-11-setup",
        ],
        group: "Epic 1 Base",
      },
      {
        id: "Story 1.2",
        title: "Page",
        priority: "high",
        done: false,
        details: ["A page.", "AC: Shows", "Spec: .ralph/specs/prd.md#story-12-page"],
        group: "Epic 1 Base",
      },
    ]);
    expect(content.notes).toEqual(["Epic 1 Base: Set it up."]);
    expect(complaints.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("version 6: an overview above the epics, and stories beside the planning documents", () => {
    const epics = `# Shop\n\n## Epic List\n\n### Epic 1: Accounts\nShort.\n\n${EPICS.slice(EPICS.indexOf("## Epic 1"))}`;
    const story =
      "# Story 1.2: Sign in\n\nStatus: ready-for-dev\n\n## Story\n\nAs a user.\n\n## Acceptance Criteria\n\n1. Own words\n";
    const artifacts = [
      ...readArtifacts(fakeFiles({ [`${FOLDER}/epics.md`]: epics }), FOLDER),
      ...readArtifacts(
        fakeFiles({ "_bmad-output/implementation-artifacts/1-2-sign-in.md": story }),
        "_bmad-output/implementation-artifacts",
      ),
    ];
    const { content } = convertBmad(artifacts, FOLDER);
    expect(content.tasks.map(({ id, group, done }) => [id, group, done])).toEqual([
      ["Story 1.2", "Epic 1: Accounts", false],
      ["Story 1.10", "Epic 1: Accounts", false],
      ["Story 2.1", "Epic 2: Orders", false],
    ]);
    expect(content.tasks[0]?.details).toEqual([
      "As a user.",
      "AC: Own words",
      "Spec: .ralph/specs/implementation-artifacts/1-2-sign-in.md#story-12-sign-in",
    ]);
  });

  test("reject one number for two stories, but accept one story in two documents", () => {
    expect(codes({ "a-stories.md": "### Story 1.1: a\n", "b-stories.md": "### Story 1.1: a\n" })).not.toContain("E3");
    expect(codes({ "stories.md": "### Story 1.1: a\nb\n### Story Points: 5\n" })).not.toContain("E2");
  });
});

test("a second import tells the story that the documents dropped, and a renumbered one keeps its tick", () => {
  const plan = newPlan("shop", convert({ "epics.md": EPICS }).content.tasks).replace("[ ] Story 1.2", "[x] Story 1.2");
  const [before = "", after = ""] = EPICS.split(/### Story 1\.10[\s\S]*?(?=### Story 1\.2)/);
  const later = convert({ "epics.md": before + after.replace("Story 1.2", "Story 1.9") });
  const merged = mergePlan(plan, later.content.tasks);
  expect(merged.text).toContain("- [x] Story 1.9: Sign in");
  expect(merged.left).toEqual(["Story 1.10: Sign out"]);
});

test.each([
  ["Overall: NOT READY", true],
  ["READY / NEEDS WORK / NOT READY", false],
  ["Decision: No-Go", true],
  ["There is no goal", false],
])("the readiness verdict %p stops an import: %p", (line, stops) => {
  expect(codes({ "epics.md": EPICS, "readiness.md": `${line}\n` }).includes("E1")).toBe(stops);
});

test("a second import keeps the words of a box that the user edited, and follows the documents elsewhere", () => {
  const first = convert({ "epics.md": EPICS }).content;
  const plan = newPlan("shop", first.tasks).replace("Story 2.1: List", "Story 2.1: List them all");
  const specs = fakeFiles(Object.fromEntries(first.files.map(({ path, content }) => [path, content])));
  const again = (epics: string) =>
    convertBmad(readArtifacts(fakeFiles({ [`${FOLDER}/epics.md`]: epics }), FOLDER), FOLDER, specs).content.tasks;
  expect(mergePlan(plan, again(EPICS))).toMatchObject({ text: plan, added: [], updated: [], kept: [] });
  const changed = EPICS.replace("2.1: List", "2.1: List orders").replace("1.2: Sign in", "1.2: Sign in by mail");
  const merged = mergePlan(plan, again(changed));
  expect(merged.text.match(/^- .*/gm)).toEqual([
    "- [ ] Story 1.2: Sign in by mail",
    "- [ ] Story 1.10: Sign out",
    "- [ ] Story 2.1: List them all",
  ]);
  expect(merged.kept.map(({ title }) => title)).toEqual(["List orders"]);
});
