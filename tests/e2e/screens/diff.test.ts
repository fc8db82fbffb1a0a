/** `ralph diff` tells what a run changed: its commits, and what is not committed. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

const commit = (subject: string) => `git add -A && git -c commit.gpgsign=false commit -qm "${subject}"`;
const steps = [
  { files: { "a.txt": "1\n" }, shell: commit("feat: one"), stdout: answer() },
  { files: { "a.txt": "2\n", "b.txt": "\u001b[31mred\n" }, stdout: answer() },
];

test.skipIf(process.platform === "win32")(
  "a run's diff is a patch in a pipe, and has a row for each file; without checkpoints it is put together",
  async () => {
    const at = project({ steps });
    await at.ralph("run", "--max-iterations", "2", "--no-checkpoints");
    const whole = await at.ralph("diff");
    expect(whole.exit).toBe(0);
    expect(whole.stdout).toMatch(/^commit [0-9a-f]{7} feat: one\n/);
    expect(whole.stdout).toContain("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+1\n");
    expect(whole.stdout).toContain("Not committed: the files as they are now, against HEAD.\n");
    expect(whole.stdout).toContain("-1\n+2\n");
    const first = await at.ralph("diff", "1", "--iteration", "1");
    expect(first.stdout).not.toContain("Not committed");
    const stat = (await at.ralph("diff", "--stat")).stdout;
    expect(stat).toMatch(/ {2}a\.txt +2 \++-+\n/);
    expect(stat).toMatch(/\n2 files \+\d+ -1\n$/);
    const { parts } = JSON.parse((await at.ralph("diff", "--json")).stdout);
    expect(parts.map(({ source }: { source: string }) => source)).toEqual(["commits", "work_tree"]);
  },
);

test("a run that ended before its first iteration changed nothing, whatever is in the project", async () => {
  const files = { ".ralph/PROMPT.md": "Work.\n", ".ralph/@fix_plan.md": "- [x] one\n", "README.md": "hi\n" };
  const at = project({ steps: [{ stdout: answer() }], files });
  at.write("mine.txt", "of a person\n");
  const ended = await at.ralph("run");
  expect([ended.exit, at.calls()]).toEqual([0, []]);
  const { exit, stdout, stderr } = await at.ralph("diff");
  expect([exit, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("changed no file that is known.");
});

test("an iteration that a run lacks is named, with where to see those that it has", async () => {
  const at = project({ steps: [{ stdout: answer() }] });
  await at.ralph("run", "--max-iterations", "1");
  const { exit, stderr } = await at.ralph("diff", "--iteration", "9");
  expect(exit).not.toBe(0);
  expect(stderr).toContain("has no iteration 9.");
  expect(stderr).toContain("ralph report");
});

test.skipIf(process.platform === "win32")(
  "the patch in a pipe has a file's control characters as they are, so it fits the file",
  async () => {
    const steps = [{ files: { "a.c": "page\fnext \u001b[2J\u202e over\rwritten\n" }, stdout: answer() }];
    const at = project({ steps });
    await at.ralph("run", "--max-iterations", "1");
    const { stdout } = await at.ralph("diff", "--iteration", "1");
    at.write("a.patch", stdout);
    git(at, "apply", "--reverse", "a.patch");
    expect(at.has("a.c")).toBe(false);
  },
);

test("a run that changed nothing says so, and prints no patch", async () => {
  const at = project({ steps: [{ stdout: answer() }] });
  await at.ralph("run", "--max-iterations", "1");
  const { exit, stdout, stderr } = await at.ralph("diff");
  expect([exit, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("changed no file that is known.");
});
