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
const works = (list: string, name: string) => ({
  shell: [
    `id=$(sed -n 's/^- \\[ \\] .*\\(${name}\\).*/\\1/p' .ralph/fix_plan.md)`,
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

type OtherList = {
  form: string;
  list: string;
  text: string;
  /** What the agent knows a name by. */
  name: string;
  /** Names of its two open tasks, in the order that they have to go in. */
  first: string;
  second: string;
  /** The list when both are done, with its times as `"NOW"`. */
  marked(text: string): string;
};

const bead = (id: string, more: object) => ({
  ...{ id, title: `Issue-${id}`, status: "open", priority: 1, issue_type: "task" },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
  ...more,
});
const master = (id: number, dependencies: number[]) => ({
  ...{ id, title: `Title-${id}`, description: "", status: "pending", dependencies, priority: "medium" },
});

const OTHERS: OtherList[] = [
  {
    ...{
      form: "OpenSpec",
      list: "openspec/changes/add-archive/tasks.md",
      first: "1.1",
      second: "1.2",
      name: "1[.][12]",
    },
    text: "## 1. Core\n- [ ] 1.1 Create the command\n- [ ] 1.2 Select the change\n  - [ ] by its name\n",
    marked: (text) => text.replaceAll("[ ]", "[x]"),
  },
  {
    ...{
      form: "Task Master",
      list: ".taskmaster/tasks/tasks.json",
      first: "Title-2",
      second: "Title-1",
      name: "Title-[12]",
    },
    text: `${JSON.stringify({ master: { tasks: [master(1, [2]), master(2, [])], metadata: {} } }, null, 2)}\n`,
    marked: (text) => text.replaceAll('"pending"', '"done"'),
  },
  {
    ...{ form: "beads", list: ".beads/issues.jsonl", first: "Issue-bd-2", second: "Issue-bd-1", name: "Issue-bd-[12]" },
    text: [
      bead("bd-1", { dependencies: [{ depends_on_id: "bd-2", type: "blocks", created_at: "2026-01-01T00:00:00Z" }] }),
      bead("bd-2", {}),
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(""),
    marked: (text) =>
      text
        .replaceAll(/"20[^"]*Z"/g, '"NOW"')
        .replaceAll('"open"', '"closed"')
        .replaceAll(/}\n/g, ',"closed_at":"NOW"}\n'),
  },
];

describe("a swarm over another tool's list", () => {
  test("of spec-kit goes by its phases, and ticks it as its own command does, whatever agents did to it", async () => {
    const list = "specs/001-notes/tasks.md";
    const at = project({
      files: { ...FILES, [list]: SPEC_KIT },
      steps: Array.from({ length: 4 }, () => works(list, "T00[0-9]")),
    });
    const { exit, stdout, stderr } = await at.ralph("swarm", "2", "--untested");
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("All 5 tasks are done and landed.")]);
    expect(at.read(list)).toBe(SPEC_KIT.replaceAll("[ ]", "[X]"));
    expect(at.read("done/T004")).toContain("T002 T003");
    expect(at.read("done/T002")).toBe("");
    expect(git(at, "status", "--porcelain")).toBe("");
    expect(git(at, "for-each-ref", "--format=%(refname)", "refs/ralph/claims", "refs/heads/ralph")).toBe(
      "refs/heads/ralph/w1\nrefs/heads/ralph/w2",
    );
  });

  test("of which the settings name one is landed there too; one that no commit has is marked where it lies", async () => {
    const story = (id: string, more: object) => ({ id, title: `Story ${id}`, passes: false, ...more });
    const text = `${JSON.stringify({ userStories: [story("US-2", { dependsOn: ["US-1"] }), story("US-1", {}), story("US-3", { blocked: true })] }, null, 2)}\n`;
    const at = project({
      files: { ...FILES, ".gitignore": "/.ralph/\nprd.json\n" },
      steps: [works("prd.json", "US-[0-9]"), works("prd.json", "US-[0-9]")],
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
  });

  test("has each worker's plan in the file that the prompt names", async () => {
    const list = "specs/001-notes/tasks.md";
    const prompt = "Do the next task of `.ralph/@fix_plan.md`, and tick its box.\n";
    const ticks = {
      shell: "sed -i 's/^- \\[ \\]/- [x]/' .ralph/@fix_plan.md && echo 1 > made.txt",
      stdout: answer({ status: "COMPLETE", exit: true }),
    };
    const at = project({
      files: { ...FILES, ".ralph/PROMPT.md": prompt, [list]: "# Tasks\n\n- [ ] T001 Create\n" },
      steps: [ticks],
    });
    const { exit, stdout, stderr } = await at.ralph("swarm", "1", "--untested", "--max-iterations", "1");
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("The task is done and landed.")]);
    expect(at.read(list)).toContain("- [X] T001");
  });

  test.each(OTHERS)("of $form goes by what its tasks wait for, and is marked in its own form", async (other) => {
    const { list, text, name, first, second, marked } = other;
    const at = project({ files: { ...FILES, [list]: text }, steps: [works(list, name), works(list, name)] });
    const { exit, stdout, stderr } = await at.ralph("swarm", "2", "--untested");
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining("tasks are done and landed.")]);
    expect(at.read(`done/${first}`)).not.toContain(second);
    expect(at.read(`done/${second}`)).toContain(first);
    expect(at.read(list).replaceAll(/"20[^"]*Z"/g, '"NOW"')).toBe(marked(text));
    expect(git(at, "status", "--porcelain")).toBe("");
  });

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
  });
});
