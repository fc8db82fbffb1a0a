/** `ralph swarm` with the real git: several workers on one plan, and what they did on the target. */
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { planSource } from "../../../src/core/tasks/task-source.ts";
import { queueName } from "../../../src/effects/fleet/queue.ts";
import { cleanUp, type Live, type Project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until as eventually } from "../support/until.ts";
import { type SharedPlan, sharedPlan, until, withSubmodule } from "./shared-plan.ts";

afterAll(cleanUp);

const EPICS = ["A", "B", "C"].map((epic) => `## Epic ${epic}\n${[1, 2, 3].map((n) => `- [ ] ${epic}${n}\n`).join("")}`);
const LINE = (task: string) => `sed -i '1s/.*/by ${task}/' shared.txt`;

test("three workers land nine tasks of three epics with green gates, one of them after a conflict", async () => {
  const { at, did, git } = sharedPlan({
    plan: `# Plan\n\n${EPICS.join("\n")}`,
    // Both have begun before either is landed, and change the same line.
    cases: `A2) test -e "$MEET/a2" || { touch "$MEET/a2"; ${until("b2")}; ${LINE("A2")}; };;
B2) test -e "$MEET/b2" || { touch "$MEET/b2"; ${until("a2")}; ${LINE("B2")}; };;`,
  });
  const { exit, stdout, stderr } = await at.ralph("swarm", "3");
  expect([exit, stderr]).toEqual([0, expect.stringContaining("3 workers for main: w1, w2, w3")]);
  expect(stdout).toContain("All 9 tasks are done and landed.");
  expect(at.read(".ralph/fix_plan.md")).not.toContain("[ ]");
  expect(readFileSync(at.path("shared.txt"), "utf8").split("\n").sort()).toEqual(["", "by A2", "by B2", "two"]);
  expect(did()).toHaveLength(10);
  expect(new Set(did()).size).toBe(9);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("for-each-ref", "refs/ralph/claims")).toBe("");
  expect(git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  const returned = at.event("land_returned");
  expect(returned).toMatchObject({ why: "conflict" });
  // What was tested is what was landed.
  const tested = at.events().flatMap((event) => (event.type === "land_tested" && event.green ? [event.commit] : []));
  for (const event of at.events()) if (event.type === "landed") expect(tested).toContain(event.to);
});

const TWO = "- [ ] one\n- [ ] two\n";

test.each([
  ["a commit has", true],
  ["no commit has", false],
])("of a list that %s every byte but the tick stays, also what is no UTF-8", async (_, isTracked) => {
  const { at, git } = sharedPlan({ plan: TWO });
  const list = (box: string) => Buffer.from(`\xef\xbb\xbf# caf\xe9\r\n- [${box}] one\r\n`, "latin1");
  if (!isTracked) git("rm", "--quiet", "--cached", ".ralph/fix_plan.md");
  writeFileSync(at.path(".ralph/fix_plan.md"), list(" "));
  git("commit", "--quiet", ...(isTracked ? ["--all"] : []), "-m", "an old list");
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  expect(readFileSync(at.path(".ralph/fix_plan.md"), "latin1")).toBe(list("x").toString("latin1"));
});

// Some agents tell what their conversation used, not what a call did.
test("who goes on with work that came back knows what its conversation used", async () => {
  const twice = (mine: string, other: string) =>
    `${mine}) if test -e "$MEET/${mine}"; then ASKS=yes; else touch "$MEET/${mine}"; ${until(other)}; ${LINE(mine)}; fi;;`;
  const cases = [twice("one", "two"), twice("two", "one")].join("\n");
  const { at } = sharedPlan({ plan: TWO, usd: 0.1, cases });
  expect((await at.ralph("swarm", "2", "--max-iterations", "3")).exit).toBe(4);
  const claims = ["w1", "w2"]
    .flatMap((name) => runsOf(at.path(`.ralph/worktrees/${name}/.ralph/runs`)).flat())
    .flatMap((event) => (event.type === "task_claimed" && event.session !== null ? [event] : []));
  expect(claims).toMatchObject([{ used: { cost_usd: 0.1, input_tokens: 1, output_tokens: 1 } }]);
});

test("a conflict beside the folder of a project is solved by its worker, too", async () => {
  const both = (
    mine: string,
    other: string,
  ) => `${mine}) test -e "$MEET/${mine}" || { touch "$MEET/${mine}"; ${until(other)}; };
if grep -q '^<<<<' ../root.txt; then grep -v '^<<<<\\|^====\\|^>>>>' ../root.txt > kept; mv kept ../root.txt; else sed -i '1s/.*/by ${mine}/' ../root.txt; fi;;`;
  const { at, git } = sharedPlan({
    ...{ plan: TWO, folders: ["app/"] },
    cases: [both("one", "two"), both("two", "one")].join("\n"),
  });
  at.write("root.txt", "0\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "beside the project");
  const { exit, stdout } = await at.ralph("swarm", "2", "-C", at.path("app"));
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(at.read("root.txt").split("\n").sort()).toEqual(["", "by one", "by two"]);
});

test("a repository that an agent makes in its worktree is not landed, which is told once, by its name", async () => {
  const one = "mkdir lib; git init --quiet lib; echo 1 > lib/work.txt";
  const { at, git } = sharedPlan({ plan: TWO, cases: `one) ${one};;` });
  const { exit } = await at.ralph("swarm", "1");
  expect([exit, git("ls-files", "lib")]).toEqual([0, ""]);
  const told = at.events().flatMap((event) => (event.type === "note" && event.text.includes("lib/") ? event.text : []));
  expect(told).toEqual([
    "lib/ in the worktree w1 is a repository of its own: its files are in no commit there, and are not handed in.",
  ]);
});

test("what an agent leaves in a submodule of its worktree is not landed, which is told once, by its name", async () => {
  const { at } = withSubmodule({ plan: TWO, cases: "one) echo 1 > lib/work.txt;;" });
  const { exit } = await at.ralph("swarm", "1");
  expect(exit).toBe(0);
  const told = at.events().flatMap((event) => (event.type === "note" && event.text.includes("lib") ? event.text : []));
  expect(told).toEqual([
    "lib in the worktree w1 is a submodule with changes that no commit there has: they are not handed in.",
  ]);
});

test.each([
  ["of a plan", ".ralph/fix_plan.md", TWO],
  [
    "of another list",
    "prd.json",
    `${JSON.stringify({ userStories: ["one", "two"].map((id) => ({ id, title: id, passes: false })) })}\n`,
  ],
])("what no commit has of .ralph stays so, and is in no work %s", async (_, list, text) => {
  const { at, git } = sharedPlan({ plan: TWO });
  git("rm", "--quiet", "-r", "--cached", ".ralph");
  at.write(".ralph/specs/a [1].md", "a\n");
  if (list !== ".ralph/fix_plan.md") {
    rmSync(at.path(".ralph/fix_plan.md"));
    at.write(list, text);
    git("add", list);
  }
  git("commit", "--quiet", "-m", "without .ralph");
  const before = git("status", "--porcelain", "-uall");
  const { exit, stdout } = await at.ralph("swarm", "1", ...(list === "prd.json" ? ["--tasks", list] : []));
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).not.toContainEqual(expect.stringContaining(".ralph"));
  expect(git("status", "--porcelain", "-uall")).toBe(before);
});

test.each([
  ["ignores the rest", "*\n!.gitignore\n"],
  ["leaves the rest untracked", "/runs/\n"],
  ["is another line's", "/runs/\n/logs/"],
])("a .gitignore in .ralph that a commit has and that %s is no hindrance, and stays as it is", async (_, ignored) => {
  const { at, git } = sharedPlan({ plan: TWO, cases: "one) git add --all; git commit --quiet -m one;;" });
  git("rm", "--quiet", "-r", "--cached", ".ralph");
  at.write(".ralph/.gitignore", ignored);
  at.write(".ralph/specs/a [1].md", "a\n");
  git("add", "--force", ".ralph/.gitignore");
  git("commit", "--quiet", "-m", "only the .gitignore of .ralph");
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  const below = git("ls-tree", "-r", "--name-only", "HEAD")
    .split("\n")
    .filter((path) => path.startsWith(".ralph"));
  expect([below, at.read(".ralph/.gitignore")]).toEqual([[".ralph/.gitignore"], ignored]);
  // A person changes it, and the worktree is there already.
  at.write(".ralph/.gitignore", `${ignored}\n/mine/\n`);
  git("commit", "--quiet", "--all", "-m", "more to ignore");
  at.write(".ralph/fix_plan.md", `${at.read(".ralph/fix_plan.md")}- [ ] three\n`);
  const next = await at.ralph("swarm", "1");
  expect([next.exit, next.stdout]).toEqual([0, expect.stringContaining("All 3 tasks are done and landed.")]);
  expect(git("log", "--format=", "--name-only", "HEAD~2..").split("\n")).not.toContain(".ralph/PROMPT.md");
  expect(at.read(".ralph/.gitignore")).toBe(`${ignored}\n/mine/\n`);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n- [x] three\n");
});

test("on a branch whose gates are red, where no worker could hand in, nobody begins, and it says so", async () => {
  const { at, did, git } = sharedPlan({ plan: TWO });
  at.write("check.sh", "for task in one two; do test -e done/$task || { echo $task is missing; exit 1; }; done\n");
  git("commit", "--quiet", "--all", "-m", "tests before the code");
  const { exit, stdout } = await at.ralph("swarm", "2");
  expect([exit, did()]).toEqual([6, []]);
  const told = stdout.replace(/\s+/g, " ");
  expect(told).toContain("The gates of main are red before anybody began: `sh check.sh` failed with exit code 1");
  expect(told).toContain("ralph run");
  expect(at.read(`.ralph/runs/${at.runs()[0]}/events.jsonl`)).toContain("one is missing");
  expect(git("worktree", "list")).not.toContain(".land");
  // The last open task can mend all of it.
  at.write("done/one", "by hand\n");
  at.write(".ralph/fix_plan.md", "- [x] one\n- [ ] two\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "one");
  const last = await at.ralph("swarm", "2");
  expect([last.exit, last.stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(last.stdout).not.toMatch(/^\[[^\]]*\]\s*$/m);
});

test.each([
  ["works on a branch of its own", "git switch -q -c mine; git add -A; git commit -qm mine"],
  ["leaves a repository in the checkout", "git init -q nested; echo x > nested/x"],
])("an agent that %s keeps neither its work from landing nor its worker from the next task", async (_, shell) => {
  const { at } = sharedPlan({ plan: TWO, cases: `one) ${shell};;` });
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect([at.has("done/one"), at.has("done/two")]).toEqual([true, true]);
});

test("a plan that is changed and not committed is told before anybody works", async () => {
  const { at, git } = sharedPlan({ plan: TWO });
  const told = ".ralph/fix_plan.md has changes that are not committed";
  at.write(".ralph/fix_plan.md", `${TWO}- [ ] three\n`);
  const { exit, stdout, stderr } = await at.ralph("swarm", "1");
  expect([exit, stderr]).toEqual([6, expect.stringContaining(told)]);
  expect(stdout).toContain("would be overwritten:");
  expect(at.read(".ralph/fix_plan.md")).toBe(`${TWO}- [ ] three\n`);
  git("commit", "--quiet", "--all", "--message", "three");
  const next = await at.ralph("swarm", "1");
  expect(next.stderr).not.toContain(told);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n- [x] three\n");
});

test("a prompt that is changed and not committed is told before anybody works, and is in no commit", async () => {
  const { at, meet, git } = sharedPlan({ plan: TWO });
  at.write(".ralph/PROMPT.md", "Do the next task, quickly.\n");
  at.write(".ralph/specs/mine.md", "mine\n");
  const first = await at.ralph("swarm", "1");
  expect(first.exit).toBe(0);
  expect(first.stderr).toContain(".ralph/PROMPT.md has changes that are not committed: workers do not see them.");
  expect(readFileSync(join(meet, "heard"), "utf8")).not.toContain("quickly");
  expect(git("log", "--branches", "--format=%s", "--", ".ralph/PROMPT.md").split("\n")).toHaveLength(1);
  rmSync(at.path(".ralph/.ralphrc"));
  const next = await at.ralph("swarm", "1", "--untested");
  expect(next.stderr).toContain(".ralph/.ralphrc, .ralph/PROMPT.md have changes that are not committed");
});

test("what no commit has of .ralph is for the next swarm as the person has it then", async () => {
  const { at, meet, git } = sharedPlan({
    plan: TWO,
    cases: 'one|three) cat .ralph/specs/*.md >> "$MEET/specs"; echo noted > .ralph/AGENT.md;;',
  });
  git("rm", "--quiet", "-r", "--cached", ".ralph");
  git("commit", "--quiet", "-m", "without .ralph");
  at.write(".ralph/AGENT.md", "build\n");
  at.write(".ralph/specs/old.md", "old\n");
  at.write(".ralph/specs/kept.md", "kept\n");
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  at.write(".ralph/PROMPT.md", "Do the next task, quickly.\n");
  at.write(".ralph/specs/new.md", "new\n");
  rmSync(at.path(".ralph/specs/old.md"));
  at.write(".ralph/fix_plan.md", "- [x] one\n- [x] two\n- [ ] three\n");
  const before = git("status", "--porcelain", "-uall");
  const { exit, stderr } = await at.ralph("swarm", "1");
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining("not committed")]);
  expect(readFileSync(join(meet, "heard"), "utf8").split("three:")[1]).toContain("Do the next task, quickly.");
  expect(readFileSync(join(meet, "specs"), "utf8")).toBe("kept\nold\nkept\nnew\n");
  expect(git("status", "--porcelain", "-uall")).toBe(before);
  expect(readFileSync(at.path(".ralph/worktrees/w1/.ralph/AGENT.md"), "utf8")).toBe("noted\n");
  expect(git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).not.toContainEqual(expect.stringContaining(".ralph"));
});

test("a worker that is killed gives its task back, and another run does it", async () => {
  const { at, meet } = sharedPlan({
    plan: TWO,
    cases: `one) test -e "$MEET/one" || { touch "$MEET/one"; ${until("go")}; };;`,
  });
  const live = at.start("swarm", "1");
  await eventually("the agent works", () => existsSync(join(meet, "one")));
  const journal = workerEvents(at.path(".ralph/worktrees/w1/.ralph/runs"));
  const started = journal.find((event) => event.type === "run_started");
  process.kill(started?.type === "run_started" ? started.pid : 0, "SIGKILL");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([0, expect.stringContaining("w1  given back  one: it was killed")]);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n");
});

test("another worker goes on with what a killed one left on its branch", async () => {
  const { at, meet } = sharedPlan({
    plan: TWO,
    // The first worker is not to be free before the second one has its task.
    cases: `one) ${until("two")};;
two) test -e "$MEET/two" || { touch "$MEET/two"; ${until("never")}; };;`,
  });
  const live = at.start("swarm", "2");
  await eventually("the other task is landed", () => isLanded(at, "one"));
  await eventually("the agent works", () => existsSync(join(meet, "two")));
  const started = workerEvents(at.path(".ralph/worktrees/w2/.ralph/runs")).find(({ type }) => type === "run_started");
  process.kill(started?.type === "run_started" ? started.pid : 0, "SIGKILL");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([0, expect.stringContaining("w1  two")]);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n");
  expect(at.read("done/two")).toBe("two\ntwo\n");
});

/** By the journal: git deletes a file for a moment before it writes the new one, and so the plan. */
function isLanded({ events }: Pick<Project, "events">, task: string): boolean {
  return events().some((event) => event.type === "landed" && event.branches.some(({ text }) => text === task));
}

function workerEvents(runs: string): RalphEvent[] {
  return runsOf(runs)[0] ?? [];
}

/** The events of each run of a worker, the oldest first. */
function runsOf(runs: string): RalphEvent[][] {
  const journals = [...new Bun.Glob("*/events.jsonl").scanSync({ cwd: runs })].sort();
  return journals.map((journal) => {
    const lines = readFileSync(join(runs, journal), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  });
}

test("a swarm that is killed is gone on with: each task is done once", async () => {
  const { at, did, meet } = sharedPlan({
    plan: TWO,
    cases: `one) touch "$MEET/one"; ${until("go")};;`,
  });
  const live = at.start("swarm", "2");
  await eventually("the agent works", () => existsSync(join(meet, "one")));
  await eventually("the other task is landed", () => isLanded(at, "two"));
  live.kill("SIGKILL");
  await live.ended;
  await Bun.write(join(meet, "go"), "");
  const { exit } = await at.ralph("swarm", "2");
  expect(exit).toBe(0);
  expect(did().sort()).toEqual(["one", "two"]);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n");
});

/** Kills a swarm and its worker w1 at once. */
async function killBoth(at: Project, swarm: Live): Promise<void> {
  const began = runsOf(at.path(".ralph/worktrees/w1/.ralph/runs")).at(-1)?.[0];
  swarm.kill("SIGKILL");
  process.kill(began?.type === "run_started" ? began.pid : 0, "SIGKILL");
  await swarm.ended;
}

/** What all runs of w1 cost, by their own journals. */
function spentByWorker(at: Project): number {
  const events = runsOf(at.path(".ralph/worktrees/w1/.ralph/runs")).flat();
  return events.reduce((sum, event) => sum + (event.type === "agent_usage" ? (event.cost_usd ?? 0) : 0), 0);
}

/** Is called twice for its first task, and waits the second time. */
const TWICE = `one) if test -e "$MEET/again"; then touch "$MEET/works"; ${until("go")}; else touch "$MEET/again"; ASKS=yes; fi;;`;

test("what a worker spent that was killed with its swarm is in the figures of the next one, once", async () => {
  const { at, meet } = sharedPlan({ plan: TWO, usd: 0.1, cases: TWICE });
  for (const file of ["works", "works-again"]) {
    const live = at.start("swarm", "1", "--max-cost", "5");
    await eventually("the agent works for the second time", () => existsSync(join(meet, "works")));
    await killBoth(at, live);
    rmSync(join(meet, "works"));
    if (file === "works") rmSync(join(meet, "again"));
  }
  await Bun.write(join(meet, "go"), "");
  const { exit } = await at.ralph("swarm", "1", "--max-cost", "5");
  expect(exit).toBe(0);
  // Of each run that was killed the first call, then one for each task.
  expect(spentByWorker(at)).toBeCloseTo(0.4);
  const told = [1, 2, 3].flatMap((nth) => at.events(nth)).filter(({ type }) => type === "task_released");
  const spent = told.reduce((sum, event) => {
    return sum + (event.type === "task_released" ? (event.spent?.usage.cost_usd ?? 0) : 0);
  }, 0);
  expect(spent).toBeCloseTo(0.4);
});

test.each([
  [
    "a person's own run in its worktree",
    async (at: Project) => at.ralph("run", "-C", at.path(".ralph/worktrees/w1"), "--max-iterations", "1"),
  ],
  [
    "the removal of its worktree",
    async (at: Project, git: SharedPlan["git"]) => {
      await at.ralph("worktrees", "remove", "w1", "--force");
      // Its lease would end in minutes.
      for (const ref of git("for-each-ref", "--format=%(refname)", "refs/ralph/claims").split("\n"))
        git("update-ref", "-d", ref);
    },
  ],
])(
  "what a worker spent that was killed with its swarm is in the figures of the next one after %s",
  async (_, since) => {
    const { at, meet, git } = sharedPlan({ plan: TWO, usd: 0.1, cases: TWICE });
    const live = at.start("swarm", "1", "--max-cost", "5");
    await eventually("the agent works for the second time", () => existsSync(join(meet, "works")));
    await killBoth(at, live);
    await Bun.write(join(meet, "go"), "");
    await since(at, git);
    expect((await at.ralph("swarm", "1", "--max-cost", "5")).exit).toBe(0);
    const spent = at
      .events()
      .flatMap((event) => (event.type === "task_released" ? (event.spent?.usage.cost_usd ?? 0) : []));
    // Its first call; then one for each task.
    expect(spent.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(0.3);
  },
);

test("what a worker spent that ended after its swarm was killed is in the figures of the next one, and counts there", async () => {
  const { at, meet } = sharedPlan({ plan: TWO, usd: 0.1, cases: TWICE });
  const live = at.start("swarm", "1", "--max-cost", "0.25");
  await eventually("the agent works for the second time", () => existsSync(join(meet, "works")));
  live.kill("SIGKILL");
  await live.ended;
  await Bun.write(join(meet, "go"), "");
  const lock = ".ralph/worktrees/w1/.ralph/logs/worker.lock";
  await eventually("the worker has ended", () => !at.has(lock));
  const { exit, stdout } = await at.ralph("swarm", "1", "--max-cost", "0.15");
  expect([exit, stdout]).toEqual([4, expect.stringContaining("w1  handed in  one")]);
  expect(at.event("run_finished")).toMatchObject({ iterations: 2, cost_usd: spentByWorker(at) });
});

test("a smaller swarm waits for what the workers of one that was killed still have", async () => {
  const { at, did, meet } = sharedPlan({
    ...{ plan: TWO, usd: 0.1 },
    cases: ["one", "two"].map((task) => `${task}) touch "$MEET/${task}"; ${until(`go-${task}`)};;`).join("\n"),
  });
  const killed = at.start("swarm", "2");
  await eventually("both are at work", () => ["one", "two"].every((task) => existsSync(join(meet, task))));
  killed.kill("SIGKILL");
  await killed.ended;
  const live = at.start("swarm", "1");
  await Bun.write(join(meet, "go-one"), "");
  const waits = () =>
    at.events().some((event) => event.type === "note" && /^Waiting: .* works on "two"/.test(event.text));
  await eventually("it waits for the other worker", waits);
  await Bun.write(join(meet, "go-two"), "");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(did().sort()).toEqual(["one", "two"]);
  expect(at.event("run_finished")).toMatchObject({ iterations: 2, cost_usd: 0.2 });
});

test("a task whose worker has not claimed it yet is given to nobody else", async () => {
  const { at, did, meet } = sharedPlan({ plan: "- [ ] one\n" });
  // The second worker is there long before the first one's claim.
  const slow = `#!/bin/sh\ncase "$*" in push*) sleep 3;; esac\nexec "${Bun.which("git")}" "$@"\n`;
  const bin = join(meet, "..", "slow-git");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), slow, { mode: 0o755 });
  at.env.PATH = `${bin}:${at.env.PATH}`;
  const { exit } = await at.ralph("swarm", "2");
  expect(exit).toBe(0);
  expect(did()).toEqual(["one"]);
  expect(at.events().filter(({ type }) => type === "task_claimed")).toHaveLength(1);
});

test("a question sets its task aside and not the swarm; the answer brings it back", async () => {
  const { at } = sharedPlan({
    plan: TWO,
    rc: "ON_QUESTION=park\n",
    cases: `one) test -e "$MEET/asked" || { touch "$MEET/asked"; ASKS=yes; rm "done/one"; say="Which port shall the server listen on?"; };;`,
  });
  const first = await at.ralph("swarm", "1");
  expect([first.exit, first.stdout]).toEqual([6, expect.stringContaining("Which port shall the server listen on?")]);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [ ] one\n- [x] two\n");
  const answered = await at.ralph("inbox", "answer", "1", "8080");
  expect(answered.exit).toBe(0);
  const second = await at.ralph("swarm", "1");
  expect(second.exit).toBe(0);
  expect(at.read(".ralph/fix_plan.md")).toBe("- [x] one\n- [x] two\n");
});

test.each([
  ["of the plan", "- [ ] two\n", "two", []],
  ["of the plan that waits for another", "- [ ] one\n- [ ] two (after: one)\n", "two", []],
  ["of another tool's list beside a plan", "- [ ] other\n", '"US-1: two"', ["--tasks", "prd.json"]],
])("a question about a task %s is in the inbox as long as it is open", async (_, plan, name, words) => {
  const { at, git } = sharedPlan({
    plan,
    rc: "ON_QUESTION=park\n",
    cases: `${name}) test -e "$MEET/asked" || { touch "$MEET/asked"; ASKS=yes; rm "done/$task"; say="Which port shall the server listen on?"; };;`,
  });
  at.write("prd.json", JSON.stringify({ userStories: [{ id: "US-1", title: "two", passes: false }] }));
  git("add", "--all");
  git("commit", "--quiet", "-m", "a list");
  expect((await at.ralph("swarm", "1", ...words)).exit).toBe(6);
  expect((await at.ralph("inbox")).stdout).toContain("Which port shall the server listen on?");
  expect((await at.ralph("status")).stdout).toContain("Which port shall the server listen on?");
  await at.ralph("inbox", "answer", "1", "8080");
  expect((await at.ralph("swarm", "1", ...words)).exit).toBe(0);
  expect((await at.ralph("inbox")).stdout).toContain("Nothing needs you.");
});

test("what is said to a swarm is heard by each agent that is at work", async () => {
  const { at, meet } = sharedPlan({
    plan: "## A\n- [ ] one\n## B\n- [ ] two\n",
    // Each is called twice.
    cases: `one|two) touch "$MEET/$task"; ${until("go")}; test -e "$MEET/again-$task" || { touch "$MEET/again-$task"; ASKS=yes; };;`,
  });
  const live = at.start("swarm", "2");
  await eventually("both work", () => ["one", "two"].every((task) => existsSync(join(meet, task))));
  const { exit, stdout } = await at.ralph("say", "Use yargs, not commander");
  expect([exit, stdout]).toEqual([0, "Said: it goes into the next prompts of w1 and w2.\n"]);
  await eventually("it is passed on", () => at.events().some(({ type }) => type === "said_passed_on"));
  await Bun.write(join(meet, "go"), "");
  expect((await live.ended).exit).toBe(0);
  expect(at.event("said_passed_on")).toMatchObject({ text: "Use yargs, not commander", workers: ["w1", "w2"] });
  expect(readFileSync(join(meet, "heard"), "utf8").split("Use yargs, not commander")).toHaveLength(3);
});

test("what is said during the last prompt is told to have reached nobody, and the next worker hears it once", async () => {
  const { at, meet, git } = sharedPlan({ plan: "- [ ] one\n", cases: `one) touch "$MEET/one"; ${until("go")};;` });
  // Without the bound it would get one more prompt.
  const live = at.start("swarm", "1", "--max-iterations", "1");
  await eventually("it works", () => existsSync(join(meet, "one")));
  await at.ralph("say", "Use yargs, not commander");
  await eventually("it is passed on", () => at.events().some(({ type }) => type === "said_passed_on"));
  await Bun.write(join(meet, "go"), "");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout.replace(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining("w1 ended before it heard what you said"),
  ]);
  at.write(".ralph/fix_plan.md", "- [x] one\n- [ ] two\n- [ ] three\n");
  git("commit", "--quiet", "--all", "-m", "more");
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  expect(readFileSync(join(meet, "heard"), "utf8").split("Use yargs, not commander")).toHaveLength(2);
});

test("the status of a live swarm tells who works on what, and as next what nobody has", async () => {
  const { at, meet } = sharedPlan({
    plan: `${TWO}- [ ] three\n`,
    usd: 0.1,
    cases: `one) touch "$MEET/one"; ${until("go")};;`,
  });
  const live = at.start("swarm", "1");
  await eventually("it works", () => existsSync(join(meet, "one")));
  const { stdout } = await at.ralph("status");
  expect(stdout).toMatch(/^running /);
  expect(stdout).toMatch(/\n {2}w1 {2}one {2,}iteration 1 · /);
  expect(stdout).toContain("0 of 3 done · next: two\n");
  // Each worker has its part of the calls, and these are the project's.
  expect(stdout).not.toContain("calls ");
  // It tested the target, and lands nothing now.
  expect(stdout).not.toContain("landing");
  await Bun.write(join(meet, "go"), "");
  expect((await live.ended).exit).toBe(0);
  expect((await at.ralph("status")).stdout).not.toContain("w1");
});

/** Says once that the provider's limit is reached, with its end in some seconds: the epoch second that `limited` has. */
const limited = (seconds: number) =>
  `test -e "$MEET/limited" || { echo $(($(date +%s) + ${seconds})) > "$MEET/limited"; rm "done/$task"; sed -i "/^$task$/d" "$MEET/did"; printf '{"type":"result","subtype":"success","is_error":true,"result":"Claude AI usage limit reached|%s","session_id":"00000000-0000-4000-8000-000000000000"}\\n' $(cat "$MEET/limited"); exit 1; }`;

test("a worker that meets the provider's limit gives its task back, and the swarm waits until that is over", async () => {
  const { at, did } = sharedPlan({ plan: TWO, rc: "ON_USAGE_LIMIT=wait\n", cases: `one) ${limited(3)};;` });
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  const told = at.events().flatMap((event) => {
    if (event.type === "task_released") return [event.outcome];
    return event.type === "wait_started" || event.type === "wait_ended" ? [`${event.type} ${event.why}`] : [];
  });
  expect(told).toEqual(["given_back", "wait_started usage_limit", "wait_ended usage_limit", "handed_in", "handed_in"]);
  expect(did().sort()).toEqual(["one", "two"]);
  expect(at.event("run_finished")).toMatchObject({ iterations: 2 });
});

test.each([
  ["wait", 0, ["one", "three", "two"]],
  ["stop", 5, ["two"]],
])("while one worker's limit holds no other begins a task: with %s", async (how, code, done) => {
  const { at, did, meet } = sharedPlan({
    plan: `${TWO}- [ ] three\n`,
    rc: `ON_USAGE_LIMIT=${how}\n`,
    // The second is at work when the first meets the limit, and no third can begin before.
    cases: `one) ${until("two")}; ${limited(8)};; two) touch "$MEET/two"; ${until("limited")};;`,
  });
  expect((await at.ralph("swarm", "2")).exit).toBe(code);
  expect(did().sort()).toEqual(done);
  const begun = at.events().flatMap((event) => (event.type === "task_claimed" ? [Date.parse(event.at)] : []));
  const limitEnd = Number(readFileSync(join(meet, "limited"), "utf8")) * 1000;
  // Both at work end what they have.
  expect(begun.filter((time) => time < limitEnd)).toHaveLength(2);
});

test("a swarm tells its user of its end and of what needs them, and not of each task", async () => {
  const { at, meet } = sharedPlan({
    plan: `${TWO}- [ ] three\n`,
    rc: `ENABLE_NOTIFICATIONS=true\nNOTIFY_COMMAND='cat >> "$MEET/told"'\nON_QUESTION=park\n`,
    cases: `two) ASKS=yes; say="Which port shall the server listen on?";;`,
  });
  expect((await at.ralph("swarm", "2")).exit).toBe(6);
  const told = readFileSync(join(meet, "told"), "utf8").trimEnd().split("\n");
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { kind: "question", text: expect.stringContaining("Which port shall the server listen on?"), project: at.dir },
    { kind: "question", text: expect.stringContaining("Needs you: "), event: { type: "run_finished" } },
  ]);
});

test("a swarm that is not to wait ends with the limit", async () => {
  const { at, did } = sharedPlan({ plan: TWO, rc: "ON_USAGE_LIMIT=stop\n", cases: `one) ${limited(3600)};;` });
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([5, expect.stringContaining("Wait it out with: ralph swarm 1 --on-limit wait")]);
  expect(did()).toEqual([]);
});

test("all workers together keep to a bound", async () => {
  const { at, did } = sharedPlan({ plan: "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n" });
  const { exit } = await at.ralph("swarm", "2", "--max-iterations", "2");
  expect(exit).toBe(4);
  expect(did()).toHaveLength(2);
});

test("what is handed in when a bound is used up is landed, and a plan that is done so is done", async () => {
  const { at } = sharedPlan({ plan: TWO });
  const first = await at.ralph("swarm", "1", "--max-iterations", "1");
  expect([first.exit, at.read(".ralph/fix_plan.md")]).toEqual([4, "- [x] one\n- [ ] two\n"]);
  const { exit, stdout } = await at.ralph("swarm", "1", "--max-iterations", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
});

test("a swarm that finds everything done speaks of no proof: it did nothing that needs one", async () => {
  const { at } = sharedPlan({ plan: "- [x] one\n" });
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("The task is done and landed.")]);
  expect([stdout, at.event("run_finished")?.proof]).toEqual([expect.not.stringContaining("unproven"), null]);
});

test("what a worker may still use of a bound is given to no other", async () => {
  const { at, did, meet } = sharedPlan({
    plan: "- [ ] a\n- [ ] b\n- [ ] c\n",
    cases: `a) ${until("go")};;`,
  });
  const live = at.start("swarm", "2", "--max-iterations", "2");
  await eventually("the other task is landed", () => isLanded(at, "b"));
  await Bun.write(join(meet, "go"), "");
  const { exit } = await live.ended;
  expect(exit).toBe(4);
  expect(did().sort()).toEqual(["a", "b"]);
});

test("a worker has no more time than the swarm has left when it begins", async () => {
  const { at } = sharedPlan({ plan: TWO, rc: "MAX_TIME=1h\n" });
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  const given = runsOf(at.path(".ralph/worktrees/w1/.ralph/runs")).map((events) => {
    const [began] = events;
    return began?.type === "run_started" ? Number(began.settings.MAX_TIME) : Number.NaN;
  });
  expect(given).toHaveLength(2);
  // There is a second at least between two starts.
  expect(given[1]).toBeLessThan(60);
  expect(given[1]).toBeLessThan(given[0] ?? 0);
});

test("what keeps it from beginning is said before anything is made", async () => {
  const { at, git } = sharedPlan({ plan: "- [ ] a (after: nothing like it)\n" });
  const made = () => at.has(".ralph/worktrees");
  expect((await at.ralph("swarm")).stderr).toContain('The task "a" waits for "nothing like it"');
  at.write(".ralph/fix_plan.md", "Words, and no box.\n");
  git("commit", "--quiet", "--all", "-m", "no task");
  expect((await at.ralph("swarm")).stderr).toContain(".ralph/fix_plan.md on main has no task.");
  expect((await at.ralph("swarm", "0")).exit).toBe(2);
  at.write(".ralph/.ralphrc", "");
  expect((await at.ralph("swarm")).stderr).toContain("this project has no gate");
  git("checkout", "--quiet", "--detach");
  expect((await at.ralph("swarm", "--untested")).exit).toBe(7);
  expect(made()).toBe(false);
});

test.skipIf(process.platform === "win32")("its workers stand in the dashboard of another terminal", async () => {
  const { at, meet } = sharedPlan({
    plan: "## A\n- [ ] one\n## B\n- [ ] two\n",
    cases: `one|two) touch "$MEET/$task"; ${until("go")};;`,
  });
  const live = at.start("swarm", "2");
  await eventually("both work", () => ["one", "two"].every((task) => existsSync(join(meet, task))));
  const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
  await screen.shows(/w1 {2}(?:one|two) +iteration 1/);
  await screen.shows(/w2 {2}(?:one|two) +iteration 1/);
  await Bun.write(join(meet, "go"), "");
  expect((await live.ended).exit).toBe(0);
  await screen.shows("plan_complete");
  expect(screen.lines().join("\n")).not.toMatch(/w1 {2}(?:one|two) +iteration/);
  screen.type("q");
  expect(await screen.exited).toBe(0);
});

test("the branch of a worktree that was deleted by hand keeps it from beginning until it is renamed as advised", async () => {
  const { at, git } = sharedPlan({ plan: "- [ ] one\n" });
  git("branch", "ralph/w1");
  const { exit, stderr } = await at.ralph("swarm", "1");
  const advice = /git (branch -m ralph\/w1) NEW-NAME/.exec(stderr)?.[1];
  expect({ exit, stderr, advice }).toMatchObject({ exit: 7, advice: "branch -m ralph/w1" });
  git(...(advice ?? "").split(" "), "kept");
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
});

test.each([
  ["where no branch is checked out", ["checkout", "--quiet", "--detach"], []],
  ["where the branch is not there", ["status"], ["--onto", "nowhere"]],
] as const)("%s it asks for one of its own, and not for ralph land", async (_, before, flags) => {
  const { at, git } = sharedPlan({ plan: "- [ ] one\n" });
  git(...before);
  const { exit, stderr } = await at.ralph("swarm", "1", ...flags);
  expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining("--onto BRANCH") });
  expect(stderr).not.toContain("ralph land");
});

test("a task whose claim cannot be read is asked about by its words, and done once that is answered", async () => {
  const { at, did, git } = sharedPlan({ plan: TWO });
  const queue = queueName({ target: "main", prefix: "" });
  const hash = (words: string) => createHash("sha256").update(queue).update(words).digest("hex");
  const [one] = planSource(TWO, [], hash).graph.tasks;
  const commit = git("commit-tree", "main^{tree}", "-m", '{"state":"held","version":2}');
  git("update-ref", `refs/ralph/claims/${queue}/${one?.id}`, commit);
  expect((await at.ralph("swarm", "1")).exit).toBe(6);
  expect(did()).toEqual(["two"]);
  expect((await at.ralph("inbox")).stdout).toMatch(/one.*Its claim in the hub cannot be read/s);
  expect((await at.ralph("inbox", "answer", "1", "nobody has it")).exit).toBe(0);
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  expect(did()).toEqual(["two", "one"]);
}, 60_000);
