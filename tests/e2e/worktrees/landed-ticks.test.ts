/** A plan that no commit has: what a run in a worktree ticked reaches the project's when its branch lands. */
import { afterAll, describe, expect, test } from "bun:test";
import { renameSync, symlinkSync } from "node:fs";
import { answer } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const FILES = { ".gitignore": ".ralph/\n", "src.txt": "0\n" };
const PLAN = "# Plan\r\n\r\n- [ ] one\r\n- [ ] two\r\n- [ ] three\r\n";
const PLAN_FILE = ".ralph/@fix_plan.md";
const once = ["--max-iterations", "1"];

/** Ticks the task in the worktree's plan and commits work. */
const does = (task: string) => ({
  shell: `sed -i 's/\\[ \\] ${task}/[x] ${task}/' ${PLAN_FILE}; echo x > ${task}.txt; git add -A . && git commit -qm ${task}`,
  stdout: answer(),
});

function planned(steps: Parameters<Project["script"]>[0], files: Record<string, string> = FILES): Project {
  const at = project({ files, steps });
  at.write(".ralph/PROMPT.md", "Do the next task.\n");
  at.write(".ralph/.ralphrc", "TEST_COMMAND=true\n");
  at.write(PLAN_FILE, PLAN);
  return at;
}

describe("ralph land of a worktree's branch", () => {
  test("ticks in the project's plan what was ticked there, and keeps what its user wrote since", async () => {
    const at = planned([does("one"), does("two")]);
    await at.ralph("run", "--worktree=x", ...once);
    const edited = `${PLAN.replace("- [ ] three", "  a note\r\n- [ ] three")}- [ ] mine`;
    at.write(PLAN_FILE, edited);
    const { exit, stdout } = await at.ralph("land", "ralph/x");
    expect([exit, at.has("one.txt")]).toEqual([0, true]);
    expect(at.read(PLAN_FILE)).toBe(edited.replace("[ ] one", "[x] one"));
    expect(stdout).toContain("): ralph/x; ticked in the plan: “one”\n");
  });

  test("leaves a task open that its user opened again after its tick had come along", async () => {
    const at = planned([does("one"), does("two")]);
    await at.ralph("run", "--worktree=x", ...once);
    await at.ralph("land", "ralph/x");
    await at.ralph("plan", "open", "1");
    await at.ralph("run", "--worktree=x", ...once);
    expect((await at.ralph("land", "ralph/x")).exit).toBe(0);
    expect(at.read(PLAN_FILE)).toBe(PLAN.replace("[ ] two", "[x] two"));
  });

  test("ticks the task that was done, and none of the same words in another section, also once its agent has moved it", async () => {
    const plan = "## A\n- [ ] add tests\n\n## B\n- [ ] add tests\n\n## Completed\n";
    const moved = `printf '## A\\n- [ ] add tests\\n\\n## B\\n\\n## Completed\\n- [x] add tests\\n' > ${PLAN_FILE}`;
    const at = planned([{ shell: `${moved}; echo x > one.txt; git add -A . && git commit -qm one`, stdout: answer() }]);
    at.write(PLAN_FILE, plan);
    await at.ralph("run", "--worktree=x", ...once);
    expect((await at.ralph("land", "ralph/x")).exit).toBe(0);
    expect(at.read(PLAN_FILE)).toBe(plan.replace("## B\n- [ ]", "## B\n- [x]"));
  });

  test("lands it too where the plan there is larger than a plan may be", async () => {
    const at = planned([does("one")]);
    await at.ralph("run", "--worktree=x", ...once);
    at.write(`.ralph/worktrees/x/${PLAN_FILE}`, "- [x] one\n".repeat(1 << 20));
    const { exit, stdout } = await at.ralph("land", "ralph/x");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Landed on master")]);
    expect(at.read(PLAN_FILE)).toBe(PLAN);
  });

  test("ticks nothing while the worktree has work that is in no commit, and says so", async () => {
    const at = planned([{ ...does("one"), shell: `sed -i 's/\\[ \\] one/[x] one/' ${PLAN_FILE}; echo x > one.txt` }]);
    await at.ralph("run", "--worktree=x", ...once);
    const { stdout } = await at.ralph("land", "ralph/x");
    expect(at.read(PLAN_FILE)).toBe(PLAN);
    expect(stdout).toContain(
      "Not ticked in the plan: “one”. The worktree x has changes that are in no commit: one.txt.",
    );
  });

  test("ticks a plan that a commit has where the branch has no commit with the tick, and only where its work is", async () => {
    const shell = `echo x > one.txt; git add -A . && git commit -qm one; sed -i 's/\\[ \\] one/[x] one/' ${PLAN_FILE}`;
    const files = { ...FILES, ".gitignore": ".ralph/*\n!.ralph/@fix_plan.md\n", [PLAN_FILE]: PLAN };
    const at = planned([{ shell, stdout: answer() }], files);
    Bun.spawnSync(["git", "branch", "other"], { cwd: at.dir, env: at.env });
    await at.ralph("run", "--worktree=x", ...once);
    expect((await at.ralph("land", "ralph/x", "--onto", "other")).exit).toBe(0);
    expect(at.read(PLAN_FILE)).toBe(PLAN);
    const { exit, stdout } = await at.ralph("land", "ralph/x");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("ticked in the plan: “one”\n")]);
    expect(at.read(PLAN_FILE)).toBe(PLAN.replace("[ ] one", "[x] one"));
  });

  test("is not kept from it by the ticks that came along before", async () => {
    const tick = (task: string) => `sed -i 's/\\[ \\] ${task}/[x] ${task}/' ${PLAN_FILE}`;
    const steps = [
      { shell: `echo x > one.txt; git add -A . && git commit -qm one; ${tick("one")}`, stdout: answer() },
      { shell: `echo x > two.txt; ${tick("two")}; git add -A . && git commit -qm two`, stdout: answer() },
    ];
    const files = { ...FILES, ".gitignore": ".ralph/*\n!.ralph/@fix_plan.md\n", [PLAN_FILE]: PLAN };
    const at = planned(steps, files);
    await at.ralph("run", "--worktree=x", ...once);
    await at.ralph("land", "ralph/x");
    await at.ralph("run", "--worktree=x", ...once);
    const { exit, stdout } = await at.ralph("land", "ralph/x");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Landed on master")]);
    expect(at.read(PLAN_FILE)).toBe(PLAN.replace("[ ] one", "[x] one").replace("[ ] two", "[x] two"));
  });

  test("is kept from it by anything else that its user wrote in the plan, which stays", async () => {
    const files = { ...FILES, ".gitignore": ".ralph/*\n!.ralph/@fix_plan.md\n", [PLAN_FILE]: PLAN };
    const at = planned([does("two")], files);
    await at.ralph("run", "--worktree=x", ...once);
    const mine = `${PLAN.replace("[ ] one", "[x] one")}- [ ] mine\r\n`;
    at.write(PLAN_FILE, mine);
    const { exit, stdout } = await at.ralph("land", "ralph/x");
    expect([exit, stdout]).toEqual([6, expect.stringContaining("would be overwritten")]);
    expect(at.read(PLAN_FILE)).toBe(mine);
  });

  test("and its removal say so where its ticks cannot be written, and the worktree stays", async () => {
    const at = planned([does("one")]);
    await at.ralph("run", "--worktree=x", ...once);
    Bun.spawnSync(["git", "merge", "-q", "ralph/x"], { cwd: at.dir, env: at.env });
    // A name that is as long as names may be leaves no room for a temporary one.
    const long = `.ralph/${"p".repeat(254)}`;
    renameSync(at.path(PLAN_FILE), at.path(long));
    symlinkSync(at.path(long), at.path(PLAN_FILE));
    const removed = await at.ralph("worktrees", "remove", "x");
    const said = expect.stringContaining("Not ticked in the plan: “one”. ");
    expect([removed.exit, removed.stderr, at.has(".ralph/worktrees/x/one.txt")]).toEqual([7, said, true]);
    const landed = await at.ralph("land", "ralph/x");
    expect([landed.exit, landed.stdout]).toEqual([0, said]);
    expect((await at.ralph("worktrees", "remove", "x", "--force")).exit).toBe(0);
  });

  test("and its removal tick nothing of work that its user threw away", async () => {
    const at = planned([does("one")]);
    await at.ralph("run", "--worktree=x", ...once);
    const reset = ["git", "-C", ".ralph/worktrees/x", "reset", "-q", "--hard", "master"];
    Bun.spawnSync(reset, { cwd: at.dir, env: at.env });
    const { stdout } = await at.ralph("land", "ralph/x");
    expect(stdout).toContain("Not ticked in the plan: “one”. The worktree x has no commit of its own.");
    expect((await at.ralph("worktrees", "remove", "x")).exit).toBe(0);
    expect(at.read(PLAN_FILE)).toBe(PLAN);
  });

  test.each([[["land", "ralph/x"]], [["worktrees", "remove", "x"]]])(
    "or after it was merged by hand: %j",
    async (words) => {
      const at = planned([does("one")]);
      await at.ralph("run", "--worktree=x", ...once);
      Bun.spawnSync(["git", "merge", "-q", "ralph/x"], { cwd: at.dir, env: at.env });
      const { exit, stdout } = await at.ralph(...words);
      expect([exit, stdout]).toEqual([0, expect.stringContaining("ticked in the plan: “one”\n")]);
      expect(at.read(PLAN_FILE)).toBe(PLAN.replace("[ ] one", "[x] one"));
    },
  );
});
