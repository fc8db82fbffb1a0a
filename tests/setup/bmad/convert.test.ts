import { describe, expect, test } from "bun:test";
import { parsePlan } from "../../../src/core/plan.ts";
import { artifactKind, readArtifacts } from "../../../src/setup/bmad/artifacts.ts";
import { convertBmad } from "../../../src/setup/bmad/convert.ts";
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

  test("becomes a box for each story, by number, with what it is accepted by and where it is written", () => {
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
    expect(files[".ralph/PROJECT_CONTEXT.md"]).toContain("## Goals\n\nA shop.");
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

  test("is done where the sprint says so, and nowhere if that cannot be read", () => {
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

describe("what is wrong with a plan", () => {
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
  ])("%s", (code, files) => expect(codes(files as unknown as Record<string, string>)).toContain(code));

  test("a sentence about the decision is none", () => {
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
] as const)("%s is %s", (path, kind) => expect(artifactKind(path)).toBe(kind));
