/** What an agent leaves where no worker looks for it: on other branches, in the middle of a merge, or where git refuses. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, type Project } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { type SharedPlan, sharedPlan, until } from "./shared-plan.ts";

afterAll(cleanUp);

const TWO = "- [ ] one\n- [ ] two\n";
/** Shell: only the first time. */
const once = (shell: string) => `one) test -e "$MEET/once" || { touch "$MEET/once"; ${shell}; };;`;
const CONFLICT = `git switch -q -c side; sed -i '1s/.*/side/' shared.txt; git commit -qam side
git switch -q -; sed -i '1s/.*/mine/' shared.txt; git commit -qam mine`;

/** The first of two is done, and the second is to come. */
const FIRST_OF_TWO = `git switch -q side; echo 1 > more; git add more; git commit -qm more; git switch -q -
git cherry-pick side~1 side >/dev/null 2>&1; git checkout -q --ours shared.txt; git commit -qam solved --allow-empty`;
const MARKED = ", with the marks of its conflicts in shared.txt";

test.each([
  ["merge", "git merge side >/dev/null 2>&1", MARKED],
  ["cherry-pick", "git cherry-pick side >/dev/null 2>&1", MARKED],
  ["cherry-pick", FIRST_OF_TWO, ": that is to be finished"],
  ["am", "git format-patch -1 side --stdout | git am -3 >/dev/null 2>&1", MARKED],
])(
  "an agent that ends in the middle of a %s is told so, finishes it, and costs no worker",
  async (what, command, marked) => {
    const { at, meet, git } = sharedPlan({ plan: TWO, cases: once(`${CONFLICT}; ${command}`) });
    const { exit, stdout } = await at.ralph("swarm", "1");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
    const told = `it called its work done in the middle of a git ${what}; what lay there is committed as it was${marked}`;
    expect(stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ")).toContain(told);
    expect(readFileSync(join(meet, "heard"), "utf8")).toContain(told);
    expect(git("show", "main:shared.txt")).not.toContain("<<<<");
  },
);

test("of a rebase that is under way both sides are kept for a person, and its worker goes on", async () => {
  const cases = once(`${CONFLICT}; git rebase side >/dev/null 2>&1`);
  const { at, git } = sharedPlan({ plan: TWO, cases });
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([6, expect.stringContaining("The open task waits for a person's answer.")]);
  expect(at.read("done/two")).toBe("two\n");
  const kept = git("for-each-ref", "--format=%(refname)", "refs/heads/ralph/one-*").split("\n");
  expect(kept).toHaveLength(2);
  expect(kept.map((ref) => git("show", `${ref}:shared.txt`)).sort()).toEqual([
    expect.stringMatching(/^<<<<<<< .*\nside\n=======\nmine\n/),
    "mine\ntwo",
  ]);
  expect(await at.ralph("inbox", "answer", "1", "take mine")).toMatchObject({ exit: 0 });
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
});

/** Of the worker's newest run. */
function workerPid(at: Project, worker = "w1"): number {
  const runs = at.path(`.ralph/worktrees/${worker}/.ralph/runs`);
  const path = join(runs, [...new Bun.Glob("*/events.jsonl").scanSync({ cwd: runs })].sort().at(-1) ?? "");
  return JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "").pid;
}

test.each([
  ["on a branch of its own", "git switch -q -c mine"],
  ["on none", "git switch -q --detach"],
])(
  "what an agent did %s when its worker was killed is on the task's branch, with its swarm killed or not",
  async (_, shell) => {
    for (const withSwarm of [false, true]) {
      const cases = once(`${shell}; echo 1 > early; git add -A; git commit -qm early; echo 2 > late; touch "$MEET/works"
${until("never")}`);
      const { at, meet } = sharedPlan({ plan: TWO, cases });
      const live = at.start("swarm", "1");
      await eventually("the agent works", () => existsSync(join(meet, "works")));
      if (withSwarm) live.kill("SIGKILL");
      process.kill(workerPid(at), "SIGKILL");
      const ended = await live.ended;
      const { exit, stdout } = withSwarm ? await at.ralph("swarm", "1") : ended;
      expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
      expect([at.read("early"), at.read("late")]).toEqual(["1\n", "2\n"]);
      expect(readFileSync(join(meet, "heard"), "utf8").match(/ended in the middle of its work/g)).toHaveLength(1);
    }
  },
);

const preCommit = ({ git }: Pick<SharedPlan, "git">, shell: string) => {
  const hook = join(git("rev-parse", "--absolute-git-dir"), "hooks", "pre-commit");
  writeFileSync(hook, `#!/bin/sh\n${shell}`, { mode: 0o755 });
};

test("what a hook names that refuses a commit is mended by its agent", async () => {
  const cases = `one) if test -e "$MEET/once"; then rm -f bad; else touch "$MEET/once" bad; fi;;`;
  const shared = sharedPlan({ plan: TWO, cases });
  preCommit(shared, "test -e bad || exit 0; echo bad is not to be there >&2; exit 1\n");
  const { at, meet } = shared;
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(at.has("bad")).toBe(false);
  const told = "A hook (pre-commit) refused the commit: bad is not to be there";
  expect(readFileSync(join(meet, "heard"), "utf8")).toContain(told);
});

test("why a worker cannot hand in is told in the words of what refuses", async () => {
  const shared = sharedPlan({ plan: TWO });
  preCommit(shared, "echo the linter is not installed >&2\nexit 1\n");
  const { at, git, did } = shared;
  const { exit, stdout } = await at.ralph("swarm", "1");
  const told = stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ");
  expect([exit, told]).toEqual([
    7,
    expect.stringContaining(
      "did not hand in what it did: A hook (pre-commit) refused the commit: the linter is not installed Mend what it names.",
    ),
  ]);
  expect(git("show", "ralph/one-935b13e52cab:done/one")).toBe("one\none");
  expect(did()).toEqual(["one", "one"]);
});

test("a lock file that a killed git left in a worktree is named by the end", async () => {
  const { at, git } = sharedPlan({ plan: TWO, cases: 'one) touch "$(git rev-parse --git-dir)/index.lock";;' });
  expect((await at.ralph("swarm", "1")).exit).toBe(7);
  const lock = `${git("rev-parse", "--absolute-git-dir")}/worktrees/w1/index.lock`;
  expect(at.event("run_finished")?.sentence).toContain(`Unable to create '${lock}': File exists.`);
});

test("what a worker left that was killed with its swarm is done by a smaller one, which has no such worker", async () => {
  const second = `two) test -e "$MEET/works" || { echo 1 > early; touch "$MEET/works"; ${until("never")}; };;`;
  const { at, meet } = sharedPlan({ plan: TWO, cases: `one) ${until("works")};;\n${second}` });
  const live = at.start("swarm", "2");
  await eventually("the agent works", () => existsSync(join(meet, "works")));
  live.kill("SIGKILL");
  process.kill(workerPid(at, "w2"), "SIGKILL");
  await live.ended;
  expect((await at.ralph("resume")).stderr).toContain("Go on with: ralph swarm 2");
  const { exit, stdout } = await at.ralph("swarm", "1");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 2 tasks are done and landed.")]);
  expect(at.read("early")).toBe("1\n");
});

test("a person who has a task's branch checked out is asked to leave it, and costs no worker", async () => {
  const asks = `test -e "$MEET/asked" || { touch "$MEET/asked"; ASKS=yes; rm done/one; echo 1 > early; say="Which port?"; }`;
  const { at, git } = sharedPlan({ plan: `${TWO}- [ ] three\n`, rc: "ON_QUESTION=park\n", cases: `one) ${asks};;` });
  expect((await at.ralph("swarm", "1", "--max-iterations=1")).exit).toBe(4);
  const branch = git("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph/one-*");
  git("switch", "--quiet", branch);
  const answered = await at.ralph("inbox", "answer", "1", "8080");
  expect(answered.stdout).toContain("Go on with: ralph swarm 1");
  const { exit, stdout } = await at.ralph("swarm", "2", "--onto", "main");
  expect([exit, stdout]).toEqual([6, expect.stringContaining("The open task waits for a person's answer.")]);
  const asked = (await at.ralph("inbox")).stdout.replace(/\s+/g, " ");
  expect(asked).toContain(`${branch} is checked out in ${at.dir}: check out another branch there first`);
  git("switch", "--quiet", "main");
  expect(at.read(".ralph/fix_plan.md")).toBe("- [ ] one\n- [x] two\n- [x] three\n");
  await at.ralph("inbox", "answer", "2", "I did");
  expect((await at.ralph("swarm", "1")).exit).toBe(0);
  expect(at.read("early")).toBe("1\n");
});

test("a worktree that somebody removes costs the project's checkout nothing, and the other workers do its task", async () => {
  const second = `two) test -e "$MEET/works" || { touch "$MEET/works"; ${until("gone")}; };;`;
  const { at, git, meet } = sharedPlan({ plan: `${TWO}- [ ] three\n`, cases: `one) ${until("works")};;\n${second}` });
  const live = at.start("swarm", "2");
  await eventually("the agent works", () => existsSync(join(meet, "works")));
  rmSync(at.path(".ralph/worktrees/w2"), { recursive: true, force: true });
  at.write("mine.txt", "not committed\n");
  const head = git("rev-parse", "HEAD");
  writeFileSync(join(meet, "gone"), "");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 3 tasks are done and landed.")]);
  expect([git("branch", "--show-current"), git("status", "--porcelain")]).toEqual(["main", "?? mine.txt"]);
  expect(git("log", "--first-parent", "--format=%s", `${head}..main`)).not.toMatch(/^(?!Land: )/m);
});

test("a worktree that somebody removes while its worker has nothing to do stays removed, and the next swarm makes it anew", async () => {
  const { at } = sharedPlan({
    plan: "- [ ] one\n- [ ] two (after: one)\n- [ ] three (after: one)\n",
    // Until the other worker is to begin with the third.
    cases: `one) rm -rf "$PWD/../w2";;
two) n=0; until grep -q '"worker":"w2"' "$PWD"/../../runs/*/events.jsonl; do n=$((n+1)); [ $n -gt 2400 ] && exit 9; sleep 0.05; done;;`,
  });
  const { exit, stdout } = await at.ralph("swarm", "2");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("All 3 tasks are done and landed.")]);
  expect(stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ")).toContain("The worktree w2 is gone: somebody removed it.");
  expect(at.has(".ralph/worktrees/w2")).toBe(false);
  expect((await at.ralph("swarm", "2")).exit).toBe(0);
});
