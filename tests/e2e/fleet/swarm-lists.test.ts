/** `ralph swarm` over the lists of other tools: what they wait for, and "done" in their own form. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const git = (at: Project, ...argv: string[]) =>
  Bun.spawnSync(["git", ...argv], { cwd: at.dir, env: at.env })
    .stdout.toString()
    .trim();
const FILES = { ".ralph/PROMPT.md": "Do the task of the plan.\n", ".gitignore": "/.ralph/\n" };
/** Does the one task of its plan, in a file named after it, with what it finds done already; meddles with the list itself. */
const works = (list: string) => ({
  shell: [
    "id=$(sed -n 's/^- \\[ \\] \\([A-Z0-9-]*\\).*/\\1/p' .ralph/fix_plan.md)",
    "ls done | tr '\\n' ' ' > made; mkdir -p done; mv made done/$id",
    "sed -i 's/^- \\[ \\]/- [x]/' .ralph/fix_plan.md",
    `sed -i 's/\\[ \\]/[x]/; s/false/true/' ${list}`,
  ].join("; "),
  stdout: answer({ status: "COMPLETE", exit: true }),
});

const SPEC_KIT = `# Tasks

## Phase 1: Setup
- [x] T001 Create
- [ ] T002 Configure

## Phase 2: User Story 1
- [ ] T003 [P] [US1] Model
- [ ] T004 [US1] Service

## Phase 3: User Story 2
- [ ] T005 [P] [US2] Page
`;

describe("a swarm over another tool's list", () => {
  test("of spec-kit goes by its phases, and ticks it as its own command does, whatever agents did to it", async () => {
    const list = "specs/001-notes/tasks.md";
    const at = project({ files: { ...FILES, [list]: SPEC_KIT }, steps: Array.from({ length: 4 }, () => works(list)) });
    const { exit, stdout, stderr } = await at.ralph("swarm", "2", "--untested");
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("All 5 tasks are done and landed.")]);
    expect(at.read(list)).toBe(SPEC_KIT.replaceAll("[ ]", "[X]"));
    expect(at.read("done/T004")).toContain("T002 T003");
    expect(at.read("done/T002")).toBe("");
    expect(git(at, "status", "--porcelain")).toBe("");
    expect(git(at, "for-each-ref", "--format=%(refname)", "refs/ralph/claims", "refs/heads/ralph")).toBe(
      "refs/heads/ralph/w1\nrefs/heads/ralph/w2",
    );
  }, 120_000);

  test("of which the settings name one is landed there too; one that no commit has is marked where it lies", async () => {
    const story = (id: string, more: object) => ({ id, title: `Story ${id}`, passes: false, ...more });
    const text = `${JSON.stringify({ userStories: [story("US-2", { dependsOn: ["US-1"] }), story("US-1", {}), story("US-3", { blocked: true })] }, null, 2)}\n`;
    const at = project({
      files: { ...FILES, ".gitignore": "/.ralph/\nprd.json\n" },
      steps: [works("prd.json"), works("prd.json")],
    });
    at.write("prd.json", text);
    at.write(".ralph/.ralphrc", "TASKS_FILE=prd.json\n");
    const { exit, stdout, stderr } = await at.ralph("swarm", "2", "--untested");
    expect([exit, stdout + stderr]).toEqual([
      0,
      expect.stringContaining("All 2 tasks are done and landed. The list keeps back one."),
    ]);
    expect(at.read("prd.json")).toBe(text.replace("false", "true").replace("false", "true"));
    expect(at.read("done/US-2")).toContain("US-1");
  }, 120_000);

  test("says what it cannot do before anything is made", async () => {
    const two = project({
      files: { ...FILES, "prd.json": '[{"title": "a", "passes": false}]', "specs/1/tasks.md": SPEC_KIT },
    });
    for (const [words, said] of [
      [[], "several lists of tasks: specs/1/tasks.md, prd.json."],
      [["--tasks", "../tasks.md"], "../tasks.md is not in the project."],
      [["--tasks", "none.json"], "There is no none.json on "],
      [["--tasks", ".gitignore"], ".gitignore is no list of tasks that ralph knows."],
    ] as [string[], string][]) {
      const { exit, stderr } = await two.ralph("swarm", "--untested", ...words);
      expect([exit === 0, stderr]).toEqual([false, expect.stringContaining(said)]);
    }
    expect(two.has(".ralph/worktrees")).toBe(false);
  }, 120_000);
});
