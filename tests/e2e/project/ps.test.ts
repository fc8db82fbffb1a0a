/** `ralph ps` lists this user's runs in all projects, and `-C` takes a listed project by its name. */
import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { answer } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** Another project of the same user. */
function beside(at: Project, name: string): string {
  const dir = join(dirname(at.dir), name);
  mkdirSync(join(dir, ".ralph"), { recursive: true });
  writeFileSync(join(dir, ".ralph/PROMPT.md"), "Do the next task.\n");
  writeFileSync(join(dir, ".ralph/@fix_plan.md"), "- [ ] paint the shed\n");
  return realpathSync(dir);
}

test("ps lists the runs of all projects, live ones first, and a project goes by its name", async () => {
  const at = project({
    steps: [{ shell: "while [ ! -e .ralph/go ]; do sleep 0.05; done", stdout: answer() }, { stdout: answer() }],
  });
  expect((await at.ralph("ps")).stdout).toBe("No project of yours has a run yet.\n");
  const live = at.start("--max-iterations", "1");
  await until("a call", () => at.calls().length === 1);
  const shed = beside(at, "shed");
  at.script([{ stdout: answer() }]);
  expect((await at.ralph("-C", shed, "--max-iterations", "1")).exit).toBe(4);

  const { stdout } = await at.ralph("ps");
  expect(stdout).toMatch(/^● project {2}executing · iteration 1 · one · plan 0\/3/);
  expect(stdout).toContain("  shed     max_iterations · iteration 1 · paint the shed · plan 0/1");
  expect(stdout).toContain(shed);
  const { runs } = JSON.parse((await at.ralph("ps", "--json")).stdout);
  expect(runs.map(({ project: dir, status }: Record<string, string>) => [dir, status])).toEqual([
    [at.dir, "running"],
    [shed, "blocked"],
  ]);
  expect((await at.ralph("stop", "-C", "project", "--now")).exit).toBe(0);
  await live.ended;
  expect((await at.ralph("status", "-C", "shed")).stdout).toContain(shed);

  rmSync(shed, { recursive: true });
  expect((await at.ralph("ps")).stdout).not.toContain("shed");
});

test("a project that was moved, or copied, is told by where it is, not by where its run was", async () => {
  const at = project({ steps: [{ stdout: answer() }] });
  await at.ralph("--max-iterations", "1");
  const moved = join(dirname(at.dir), "moved");
  cpSync(at.dir, moved, { recursive: true });
  expect((await at.ralph("status", "-C", moved)).stdout).toContain(`  ${moved}\n`);
  expect(JSON.parse((await at.ralph("status", "--json", "-C", moved)).stdout).project).toBe(moved);
  expect(JSON.parse((await at.ralph("status", "--json")).stdout).project).toBe(at.dir);
});

test("a name of two projects is refused with both, and an unknown one is no project", async () => {
  const at = project({ steps: [{ stdout: answer() }] });
  for (const dir of [beside(at, "one/same"), beside(at, "two/same")])
    await at.ralph("-C", dir, "--max-iterations", "1");
  const { exit, stderr } = await at.ralph("status", "-C", "same");
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(/Several projects are called "same": .*one\/same, .*two\/same/),
  ]);
  expect((await at.ralph("status", "-C", "nowhere")).stderr).toContain("nowhere does not exist.");
});

test("stats --all counts the runs of all projects", async () => {
  const at = project({ steps: [{ stdout: answer({ cost: 0.25 }) }] });
  await at.ralph("--max-iterations", "1");
  await at.ralph("-C", beside(at, "shed"), "--max-iterations", "2");
  const runs = async (...words: string[]) => JSON.parse((await at.ralph("stats", "--json", ...words)).stdout);
  expect(await runs()).toMatchObject({ runs: 1, cost_usd: 0.25 });
  expect(await runs("--all")).toMatchObject({ runs: 2, cost_usd: 0.75 });
});

test("stats --all counts the runs of a worktree once, before and after it is removed", async () => {
  const at = project({ steps: [{ stdout: answer({ cost: 0.25 }) }] });
  await at.ralph("--max-iterations", "1");
  await at.ralph("--worktree=side", "--max-iterations", "1");
  const counted = async () => JSON.parse((await at.ralph("stats", "--all", "--json")).stdout);
  const before = await counted();
  expect(before).toMatchObject({ runs: 2, cost_usd: 0.5 });
  expect((await at.ralph("worktrees", "remove", "side", "--force")).exit).toBe(0);
  expect(await counted()).toEqual(before);
});

test("ps counts what needs a person", async () => {
  const at = project({ steps: [{ stdout: answer({ denied: "rm -r build" }) }] });
  await at.ralph("--max-iterations", "1");
  const { stdout } = await at.ralph("ps");
  expect(stdout).toContain("max_iterations · iteration 1");
  expect(stdout).toMatch(/needs you: \d thing/);
  expect((await at.ralph("ps", "--json")).stdout).toContain('"kind":"denied"');
});

test("figures of all projects leave out one whose journal cannot be read, and name it", async () => {
  const at = project({ steps: [{ stdout: answer() }, { stdout: answer() }] });
  const shed = beside(at, "shed");
  for (const dir of [at.dir, shed]) await at.ralph("-C", dir, "--max-iterations", "1");
  const journal = `.ralph/runs/${at.runs()[0]}/events.jsonl`;
  at.write(journal, at.read(journal).replaceAll(/^\{"v":1/gm, '{"v":2'));
  const { exit, stdout, stderr } = await at.ralph("stats", "--all", "--json");
  expect({ exit, runs: JSON.parse(stdout).runs }).toEqual({ exit: 0, runs: 1 });
  expect(stderr).toContain(`${at.dir} cannot be read: ${at.path(journal)}:1 was written by a newer ralph`);
  expect((await at.ralph("stats")).exit).toBe(7);
});
