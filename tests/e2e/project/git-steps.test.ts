/** `--commit`, `--rebase-on`, `--push` and `--tag`, with real git and a bare repository on the disk as remote. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "../../agents/scripted.ts";
import { answer, done } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, copyOf, lives, type Project, project } from "../support/harness.ts";
import { killWithGuardian } from "../support/kill.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const PLAN = "- [ ] First task\n- [ ] Second task\n- [ ] Third task\n";
const FILES = { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/fix_plan.md": PLAN, "a.txt": "base\n" };

type Hub = Project & { hub: string; other: string };

const gitIn = (dir: string, { env }: Project, ...words: string[]) => git({ dir, env }, ...words);

/** A project on the branch `work`, the bare repository that it came from, and the clone of somebody else. */
function withHub(steps: readonly Step[], files: Record<string, string> = FILES): Hub {
  const at = files === FILES ? usual() : hubbed(files);
  at.script(steps);
  return { ...at, hub: at.path("../hub.git"), other: at.path("../other") };
}

function hubbed(files: Record<string, string>): Project {
  const at = project({ git: true, files });
  const hub = join(at.dir, "..", "hub.git");
  git(at, "branch", "--move", "main");
  git(at, "clone", "--quiet", "--bare", at.dir, hub);
  git(at, "remote", "add", "origin", hub);
  git(at, "fetch", "--quiet", "origin");
  git(at, "switch", "--quiet", "--create", "work");
  git(at, "clone", "--quiet", hub, join(at.dir, "..", "other"));
  return at;
}

let made: Project | null = null;

/** A copy of what nearly all tests begin with: git is then not started for each of them. */
function usual(): Project {
  made ??= hubbed(FILES);
  const at = copyOf(made, "hub.git", "other");
  const [from, to] = [made, at].map(({ dir }) => dirname(dir));
  for (const name of [".git/config", "../hub.git/config", "../other/.git/config"])
    at.write(name, at.read(name).replaceAll(from ?? "", to ?? ""));
  return at;
}

/** Somebody else's commit on the main branch of the remote. */
function upstream(at: Hub, files: Record<string, string>, branch = "main"): string {
  gitIn(at.other, at, "checkout", "--quiet", "-B", branch);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(at.other, name), content);
  gitIn(at.other, at, "add", "--all");
  gitIn(at.other, at, "commit", "--quiet", "--message", `upstream ${Object.keys(files)}`);
  gitIn(at.other, at, "push", "--quiet", "origin", branch);
  return gitIn(at.other, at, "rev-parse", "HEAD");
}

const inHub = (at: Hub, ref: string) => {
  try {
    return gitIn(at.hub, at, "rev-parse", "--verify", "--quiet", ref);
  } catch {
    return null;
  }
};

/** Ticks a box of the plan, and writes a file. */
function task(nth: number, files: Record<string, string> = { [`src${nth}.txt`]: `${nth}\n` }): Step {
  const text = PLAN.split("\n")
    .map((line, at) => (at < nth ? line.replace("[ ]", "[x]") : line))
    .join("\n");
  return { files: { ...files, ".ralph/fix_plan.md": text }, stdout: answer() };
}

function hook(dir: string, name: string, script: string): void {
  mkdirSync(join(dir, "hooks"), { recursive: true });
  writeFileSync(join(dir, "hooks", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, "hooks", name), 0o755);
}

const steps = (at: Project) =>
  at.events().flatMap((event) => (event.type === "git_step" ? [`${event.step} ${event.result}`] : []));
const texts = (at: Project) => at.events().flatMap((event) => (event.type === "git_step" ? [event.text] : []));
const subjects = (at: Project) => git(at, "log", "--format=%s", "--reverse").split("\n").slice(1);

describe("--commit", () => {
  test("commits what each iteration left, named after its task and with its run", async () => {
    const at = withHub([task(1), { ...task(2), shell: "git add -A && git commit -qm 'agent: own'" }, task(3)]);
    const { exit, stdout } = await at.ralph("run", "--max-iterations", "3", "--commit");
    expect(exit).toBe(0);
    expect(subjects(at)).toEqual(["First task", "agent: own", "Third task"]);
    expect(git(at, "log", "-1", "--format=%(trailers:key=Ralph-Run)")).toBe(`Ralph-Run: ${at.runs()[0]}, iteration 3`);
    expect(git(at, "status", "--porcelain")).toBe("");
    expect(stdout).toContain("Committed ");
    expect(stdout).toContain(`  HEAD ${git(at, "rev-parse", "HEAD").slice(0, 7)}`);
    expect((await at.ralph("report")).stdout).toContain("Committed ");
    expect((await at.ralph("logs")).stdout).toContain("Committed ");
    expect((await at.ralph("undo", "1")).exit).toBe(0);
    expect(at.has("src1.txt")).toBe(false);
    await at.ralph("undo", "--to", "undo-1");
    // A commit of ralph's is not the agent's progress.
    expect(at.events().flatMap((e) => (e.type === "iteration_finished" ? [e.evidence.commits.length] : []))).toEqual([
      0, 1, 0,
    ]);
    expect(git(at, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });

  test("a hook has the user's encoding, as by hand", async () => {
    const at = withHub([task(1)]);
    hook(join(at.dir, ".git"), "pre-commit", "locale charmap > ../charmap.txt");
    await at.ralph("run", "--max-iterations", "1", "--commit");
    expect(readFileSync(at.path("../charmap.txt"), "utf8")).toBe("UTF-8\n");
  });

  test("a file that most servers refuse is committed and told once, by its size in the repository", async () => {
    const keeps = 'git config filter.short.clean "head -c 9"; echo "*.lfs filter=short" > .gitattributes';
    const shell = `truncate -s 101M big.bin kept.lfs; ${keeps}`;
    const at = withHub([
      { ...task(1), shell },
      { ...task(2), shell: "echo >> big.bin" },
    ]);
    await at.ralph("run", "--max-iterations", "2", "--commit");
    const told = at.events().flatMap((e) => (e.type === "note" && e.text.includes("most servers") ? [e.text] : []));
    const [commit] = git(at, "log", "--format=%h", "--reverse").split("\n").slice(1);
    expect(told).toEqual([
      `The commit ${commit} has big.bin (106 MB): most servers refuse a push with a file of that size. Take it out of the history before you push, or keep it with Git LFS.`,
    ]);
    expect(git(at, "cat-file", "-s", "HEAD:big.bin")).toBe(String(101 * 2 ** 20 + 1));
  });

  test("a lock file that a killed git left is told with what removes it, and the next iteration commits all", async () => {
    const at = withHub([task(1), { ...task(2), shell: "rm .git/index.lock" }]);
    at.write(".git/index.lock", "");
    await at.ralph("run", "--max-iterations", "1", "--commit");
    const { stdout } = await at.ralph("inbox");
    expect(stdout).toContain(`\n    rm ${at.path(".git/index.lock")}\n`);
    expect(steps(at)).toEqual(["commit failed"]);
    await at.ralph("run", "--max-iterations", "1", "--commit");
    expect(steps(at)).toEqual(["commit done"]);
  });

  test("a hook that refuses is told to the agent, at the end and in the inbox, and the work stays", async () => {
    const at = withHub([task(1), {}]);
    hook(join(at.dir, ".git"), "pre-commit", "echo no tabs please; exit 1");
    const { exit, stdout } = await at.ralph("run", "--max-iterations", "2", "--commit");
    expect(exit).toBe(4);
    expect(JSON.stringify(at.calls()[1])).toContain("refused the commit: no tabs please");
    expect(stdout).toContain("Not committed: A hook (pre-commit) refused the commit: no tabs please");
    expect(at.event("run_finished")?.sentence).toContain("no tabs please");
    expect((await at.ralph("inbox")).stdout).toContain("no tabs please");
    expect(at.read("src1.txt")).toBe("1\n");
    expect(subjects(at)).toEqual([]);
  });
});

describe("no step can be done", () => {
  test.each([
    [
      "in no repository",
      (at: Project) => rmSync(at.path(".git"), { recursive: true }),
      "Make a repository with: git init",
    ],
    ["in one that git refuses", (at: Project) => at.write(".git/config", "[core\n"), "Mend that"],
  ])("%s, which is said before a run begins, with what leads on", async (_, prepare, hint) => {
    const at = project({ files: FILES });
    prepare(at);
    const { exit, stderr } = await at.ralph("run", "--commit");
    expect([exit, at.runs()]).toEqual([7, []]);
    expect(stderr).toContain(`${hint}, or run without them.`);
  });
});

describe("--rebase-on", () => {
  test("overwrites no file that git ignores: that is told, and nothing is rebased", async () => {
    const at = withHub([task(1)], { ...FILES, ".gitignore": "secret.env\n" });
    upstream(at, { ".gitignore": "", "secret.env": "theirs\n" });
    at.write("secret.env", "mine\n");
    await at.ralph("run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main");
    expect(texts(at)).toContain("Not rebased: these files are in no commit, and would be overwritten: secret.env.");
    expect(at.read("secret.env")).toBe("mine\n");
    expect(subjects(at)).toEqual(["First task"]);
  });

  test("puts the branch on a remote branch that moved", async () => {
    const at = withHub([task(1)]);
    const tip = upstream(at, { "theirs.txt": "x\n" });
    await at.ralph("run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main");
    expect(steps(at)).toEqual(["commit done", "rebase begun", "rebase done"]);
    expect(git(at, "rev-parse", "HEAD^")).toBe(tip);
    expect(git(at, "symbolic-ref", "--short", "HEAD")).toBe("work");
    expect(at.has("theirs.txt") && at.has("src1.txt")).toBe(true);
  });

  test("a conflict is solved by a call of its own, and counted", async () => {
    const at = withHub([
      task(1, { "a.txt": "ours\n" }),
      { files: { "a.txt": "theirs and ours\n" }, stdout: answer({ cost: 0.5 }) },
    ]);
    upstream(at, { "a.txt": "theirs\n" });
    await at.ralph("run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main");
    expect(steps(at)).toEqual(["commit done", "rebase begun", "rebase conflict", "rebase done"]);
    expect(git(at, "show", "HEAD:a.txt")).toBe("theirs and ours");
    expect(subjects(at)).toEqual(["upstream a.txt", "First task"]);
    expect(JSON.stringify(at.calls()[1])).toContain("# A conflict to solve");
    expect(at.events().flatMap((e) => (e.type === "agent_started" ? [e.purpose] : []))).toEqual(["main", "rebase"]);
    expect(at.event("run_finished")).toMatchObject({ calls: 2, iterations: 1, cost_usd: 0.51 });
  });

  test("what the agent does not solve is given up: branch and files as before, told, and not paid for again", async () => {
    const at = withHub([
      task(1, { "a.txt": "ours\n" }),
      { files: { "junk.txt": "junk\n" }, stdout: answer() },
      task(2),
    ]);
    upstream(at, { "a.txt": "theirs\n" });
    const { stdout } = await at.ralph("run", "--max-iterations", "2", "--commit", "--rebase-on", "origin/main");
    expect(at.calls()).toHaveLength(3);
    expect(steps(at)).toEqual(["commit done", "rebase begun", "rebase conflict", "rebase failed", "commit done"]);
    expect(subjects(at)).toEqual(["First task", "Second task"]);
    expect(at.read("a.txt")).toBe("ours\n");
    expect(at.has("junk.txt")).toBe(false);
    expect(git(at, "status", "--porcelain")).toBe("");
    expect(stdout).toContain("Not rebased: the agent did not solve the conflict in a.txt. work is as it was.");
    expect((await at.ralph("inbox", "--json")).stdout).toContain('"git rebase origin/main"');
    expect((await at.ralph("checkpoints")).stdout).toContain("1.rebase-attempt");
    expect(git(at, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });

  test.each([
    ["gives up itself", "git rebase --abort"],
    ["skips the work", "git rebase --skip"],
    ["takes the other side", "git checkout --ours a.txt && git add a.txt && git rebase --skip"],
    ["leaves the branch", "git checkout -q -f main"],
  ])("an agent that %s in place of solving it loses nothing", async (_, shell) => {
    const at = withHub([task(1, { "a.txt": "ours\n" }), { shell, stdout: answer() }]);
    upstream(at, { "a.txt": "theirs\n" });
    await at.ralph("run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main", "--push");
    expect(steps(at).slice(0, 4)).toEqual(["commit done", "rebase begun", "rebase conflict", "rebase failed"]);
    expect(subjects(at)).toEqual(["First task"]);
    expect(at.read("a.txt")).toBe("ours\n");
    expect(git(at, "status", "--porcelain", "--branch")).toBe("## work");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("beyond a bound no agent is called for a conflict, and everything is as before", async () => {
    const at = withHub([task(1, { "a.txt": "ours\n" })]);
    upstream(at, { "a.txt": "theirs\n" });
    await at.ralph("run", "--max-cost", "0.01", "--commit", "--rebase-on", "origin/main");
    expect(at.calls()).toHaveLength(1);
    expect(steps(at)).toEqual(["commit done", "rebase begun", "rebase failed"]);
    expect(texts(at).at(-1)).toContain("no call is allowed now. work is as it was.");
    expect(git(at, "status", "--porcelain", "--branch")).toBe("## work");
  });

  test("a branch that is gone from the remote is told, and a checkpoint is made with checkpoints off", async () => {
    const at = withHub([task(1), task(2)]);
    upstream(at, { "x.txt": "x\n" }, "base");
    git(at, "fetch", "--quiet");
    gitIn(at.hub, at, "branch", "-D", "base");
    await at.ralph("run", "--max-iterations", "1", "--commit", "--no-checkpoints", "--rebase-on", "origin/base");
    expect(texts(at).at(-1)).toContain("Not rebased: origin/base could not be fetched");
    const made = at.event("checkpoint_made");
    expect(made?.name).toBe("1.commit");
    expect(git(at, "cat-file", "-t", made?.commit ?? "")).toBe("commit");
    expect(JSON.stringify(at.events())).toContain("Checkpoints are off");
    expect(git(at, "for-each-ref", "--format=%(refname)", "refs/ralph/")).toContain("1.commit");
  });

  test("without a commit nothing is rebased, and what is uncommitted stays", async () => {
    const at = withHub([task(1, { "a.txt": "ours\n" })]);
    upstream(at, { "theirs.txt": "x\n" });
    await at.ralph("run", "--max-iterations", "1", "--rebase-on", "origin/main");
    expect(texts(at)).toEqual(["Not rebased: there are changes that are not committed (--commit does that)."]);
    expect(at.read("a.txt")).toBe("ours\n");
  });
});

describe("--push", () => {
  test("pushes the branch after each iteration, and not the main one", async () => {
    const at = withHub([task(1), task(2)]);
    const main = inHub(at, "main");
    await at.ralph("run", "--max-iterations", "2", "--commit", "--push");
    expect(steps(at)).toEqual(["commit done", "push done", "commit done", "push done"]);
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
    expect(inHub(at, "main")).toBe(main);
  });

  test("replaces with lease what its own rebase rewrote", async () => {
    const at = withHub([task(1), { ...task(2), waits_for: ".ralph/go" }]);
    const live = at.start("--max-iterations", "2", "--commit", "--rebase-on", "origin/main", "--push");
    await until("the second call", () => at.calls().length === 2);
    const first = inHub(at, "work");
    const tip = upstream(at, { "theirs.txt": "x\n" });
    at.write(".ralph/go", "");
    await live.ended;
    expect(texts(at).at(-1)).toContain(`in place of ${first?.slice(0, 7)}`);
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
    expect(git(at, "merge-base", "HEAD", tip)).toBe(tip);
  });

  test("never replaces what somebody else pushed to the branch", async () => {
    const at = withHub([task(1)]);
    const theirs = upstream(at, { "theirs.txt": "x\n" }, "work");
    const { exit, stdout } = await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(exit).toBe(4);
    expect(stdout).toContain("Not pushed: origin/work has commits that work does not have.");
    expect(inHub(at, "work")).toBe(theirs);
  });

  test("red gates keep it here, and green ones let it go", async () => {
    const at = withHub([task(1), task(2)], {
      ...FILES,
      ".ralphrc": 'QUALITY_GATES="test -e src2.txt"\nQUALITY_GATE_MODE="warn"\n',
    });
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(texts(at).at(-1)).toBe("Not pushed: the gates are red.");
    expect(inHub(at, "work")).toBeNull();
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test.each([
    ["a new file", "src1.txt", "echo x > mended.txt", "mended.txt"],
    ["a changed file", "a.txt src1.txt", "echo x > mended.txt; git add mended.txt; echo x > a.txt", "a.txt and 1 more"],
  ])("gates that are green only with %s that is not committed let nothing go", async (_, own, rest, named) => {
    const shell = `git add ${own} && git commit -qm 'agent: own'; ${rest}`;
    const at = withHub(
      [
        { ...task(1), shell },
        { ...task(2), shell: "git add . && git commit -qm 'agent: all'" },
      ],
      {
        ...FILES,
        ".ralphrc": 'QUALITY_GATES="test -e mended.txt"\n',
      },
    );
    await at.ralph("run", "--max-iterations", "1", "--push");
    expect(texts(at).at(-1)).toBe(
      `Not pushed: the gates judge files that are not committed, and would not be pushed (--commit does that): ${named}.`,
    );
    expect(inHub(at, "work")).toBeNull();
    await at.ralph("run", "--max-iterations", "1", "--push");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("where hidden gates are the only ones, nothing goes before they ran on it", async () => {
    const at = withHub([task(1), task(2)]);
    at.env.HIDDEN_GATES = "test -e src2.txt";
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(texts(at).at(-1)).toBe("Not pushed: the gates are red.");
    expect(inHub(at, "work")).toBeNull();
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("a plan that is not committed keeps nothing here", async () => {
    const shell = "git add src1.txt && git commit -qm 'agent: own'";
    const at = withHub([{ ...task(1), shell }], { ...FILES, ".ralphrc": 'QUALITY_GATES="true"\n' });
    await at.ralph("run", "--max-iterations", "1", "--push");
    expect(git(at, "status", "--porcelain", "--untracked-files=no")).toContain("fix_plan.md");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("gates that were green before a rebase run again on it, and red ones there keep it here", async () => {
    const at = withHub([task(1)], { ...FILES, ".ralphrc": 'QUALITY_GATES="test ! -e broken.txt"\n' });
    upstream(at, { "broken.txt": "x\n" });
    await at.ralph("run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main", "--push");
    expect(steps(at)).toEqual(["commit done", "rebase begun", "rebase done", "push failed"]);
    expect(inHub(at, "work")).toBeNull();
  });

  test("a remote that refuses is told once, with its words, and the run goes on", async () => {
    const at = withHub([task(1), task(2)]);
    hook(at.hub, "pre-receive", "echo closed on Fridays >&2; exit 1");
    const { exit, stdout } = await at.ralph("run", "--max-iterations", "2", "--commit", "--push");
    expect(exit).toBe(4);
    expect(steps(at)).toEqual(["commit done", "push failed", "commit done"]);
    expect(stdout).toContain("closed on Fridays");
    expect(at.event("run_finished")?.sentence).toContain("Not pushed: remote: closed on Fridays");
  });

  test("a remote that is gone ends nothing", async () => {
    const at = withHub([task(1)]);
    git(at, "remote", "set-url", "origin", join(at.dir, "..", "nowhere.git"));
    const { exit } = await at.ralph("run", "--max-iterations", "1", "--commit", "--push", "--rebase-on", "origin/main");
    expect(exit).toBe(4);
    expect(steps(at)).toEqual(["commit done", "rebase failed", "push failed"]);
    expect(texts(at)[1]).toContain("origin/main could not be fetched");
    const { stdout } = await at.ralph("inbox");
    for (const command of ["git fetch origin", "git push origin HEAD:work"]) expect(stdout).toContain(command);
  });

  test("a branch that somebody moves during the push is looked at again, and not replaced", async () => {
    const at = withHub([task(1)]);
    const theirs = gitIn(at.other, at, "commit-tree", "-m", "theirs", "HEAD^{tree}");
    const once = `[ -e ../once ] && exit 0; touch ../once; cd ../other && git push -q origin ${theirs}:refs/heads/work`;
    hook(join(at.dir, ".git"), "pre-push", once);
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(inHub(at, "work")).toBe(theirs);
    expect(texts(at).at(-1)).toBe("Not pushed: origin/work has commits that work does not have.");
  });

  test("a stop ends a remote that hangs, with all that it started", async () => {
    const at = withHub([task(1)]);
    hook(at.hub, "pre-receive", `echo $$ > ${at.hub}/hangs; sleep 600`);
    const live = at.start("--max-iterations", "1", "--commit", "--push");
    await until("the push", () => existsSync(join(at.hub, "hangs")));
    const began = performance.now();
    await at.ralph("stop", "--now");
    await live.ended;
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(steps(at)).toEqual(["commit done", "push failed"]);
    expect(texts(at).at(-1)).toContain("it was stopped");
    expect(existsSync(join(at.dir, ".git", "index.lock"))).toBe(false);
  });

  test("the main branch is pushed to only when it is named", async () => {
    const at = withHub([task(1)]);
    git(at, "switch", "--quiet", "main");
    const refused = await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect([refused.exit, at.runs()]).toEqual([7, []]);
    expect(refused.stderr).toContain("main is the main branch");
    expect(refused.stderr).toContain("--push=origin:main");
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push=origin:main");
    expect(inHub(at, "main")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("an agent that goes to another branch gets neither a commit nor a push there", async () => {
    const at = withHub([{ ...task(1), shell: "git switch -q main" }]);
    const main = inHub(at, "main");
    await at.ralph("run", "--max-iterations", "1", "--commit", "--push");
    expect(texts(at)).toEqual([
      "Not committed: main is checked out, and not the run's branch work",
      "Not pushed: main is checked out, and not the run's branch work",
    ]);
    expect([inHub(at, "main"), inHub(at, "work")]).toEqual([main, null]);
  });
});

describe("--tag", () => {
  const finish = [task(1), task(2), task(3), done, done];

  test.each([
    ["patch", ["v1.2.9", "v1.2.10", "1.2.3-rc.1"], "v1.2.11"],
    ["minor", ["0.9.5"], "0.10.0"],
    ["patch", [], "v0.0.1"],
    ["nightly-{n}", ["nightly-7", "nightly-12", "nightly-x"], "nightly-13"],
  ])("%s after %p is %s, at done, and in the remote", async (rule, before, next) => {
    const at = withHub(finish);
    for (const name of before) gitIn(at.other, at, "tag", name);
    gitIn(at.other, at, "push", "--quiet", "--tags");
    const { exit } = await at.ralph("run", "--commit", "--push", "--tag", rule);
    expect(exit).toBe(0);
    expect(inHub(at, `refs/tags/${next}^{commit}`)).toBe(git(at, "rev-parse", "HEAD"));
    expect(git(at, "tag")).toBe(next);
    // Nothing new, nothing tagged.
    await at.ralph("run", "--commit", "--push", "--tag", rule);
    expect(git(at, "tag")).toBe(next);
  });

  test("somebody who is faster keeps the number, and the next one is taken", async () => {
    const at = withHub(finish);
    const once = `grep -q refs/tags || exit 0; [ -e ../once ] && exit 0; touch ../once
cd ../other && git tag v0.0.1 && git push -q origin v0.0.1`;
    hook(join(at.dir, ".git"), "pre-push", once);
    const { exit } = await at.ralph("run", "--commit", "--push", "--tag", "patch");
    expect(exit).toBe(0);
    expect(inHub(at, "refs/tags/v0.0.1")).toBe(gitIn(at.other, at, "rev-parse", "HEAD"));
    expect(inHub(at, "refs/tags/v0.0.2^{commit}")).toBe(git(at, "rev-parse", "HEAD"));
    expect(git(at, "tag")).toBe("v0.0.2");
  });

  test("no other end is tagged, and without --push the tag stays here", async () => {
    const at = withHub(finish);
    await at.ralph("run", "--commit", "--tag", "patch", "--max-iterations", "1");
    expect(git(at, "tag")).toBe("");
    await at.ralph("run", "--commit", "--tag", "patch");
    expect(git(at, "tag")).toBe("v0.0.1");
    expect(inHub(at, "refs/tags/v0.0.1")).toBeNull();
  });
});

describe("a kill", () => {
  const KILLED = ["run", "--max-iterations", "1", "--commit", "--rebase-on", "origin/main", "--push"] as const;
  // The iteration of the killed run counts.
  const AGAIN = KILLED.map((word) => (word === "1" ? "2" : word));

  async function killedIn(at: Hub, holds: () => boolean): Promise<void> {
    const live = at.start(...KILLED.slice(1));
    await until("the step", holds);
    await killWithGuardian(live);
  }

  test("in a commit: the next run commits all of it", async () => {
    const at = withHub([task(1), task(2)]);
    hook(join(at.dir, ".git"), "pre-commit", `[ -e ${at.dir}/../once ] && exit 0; touch ${at.dir}/../once; sleep 600`);
    await killedIn(at, () => existsSync(join(at.dir, "..", "once")));
    await at.ralph(...AGAIN);
    expect(git(at, "ls-files", "src1.txt", "src2.txt").split("\n")).toEqual(["src1.txt", "src2.txt"]);
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("in a rebase: the next run ends what is left of it, gives it up, and does it anew", async () => {
    const at = withHub([task(1), task(2)]);
    upstream(at, { "theirs.txt": "x\n" });
    const hangs = `[ -e ${at.dir}/../once ] || [ ! -e src1.txt ] && exit 0; echo $$ > ${at.dir}/../once; sleep 600`;
    hook(join(at.dir, ".git"), "post-checkout", hangs.replace("[ ! -e src1.txt ]", "[ ! -e theirs.txt ]"));
    const once = join(at.dir, "..", "once");
    await killedIn(at, () => existsSync(once) && readFileSync(once, "utf8") !== "");
    const pid = Number(readFileSync(once, "utf8"));
    expect(lives(pid)).toBe(true);
    await at.ralph(...AGAIN);
    expect(lives(pid)).toBe(false);
    expect(subjects(at)).toEqual(["upstream theirs.txt", "First task", "Second task"]);
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
    expect(git(at, "status", "--porcelain", "--branch")).toBe("## work");
  });

  test("in the call for a conflict: the next run gives the rebase up, and does it anew", async () => {
    const solved = { files: { "a.txt": "both\n" }, stdout: answer() };
    const at = withHub([
      task(1, { "a.txt": "ours\n" }),
      { files: { "a.txt": "half\n" }, shell: "touch ../solving", hangs: true },
      task(2),
      solved,
    ]);
    upstream(at, { "a.txt": "theirs\n" });
    await killedIn(at, () => existsSync(join(at.dir, "..", "solving")));
    expect(git(at, "status")).toContain("rebase in progress");
    await at.ralph(...AGAIN);
    expect(texts(at)[0]).toContain("Not rebased: ralph was ended in the middle of it. work is as it was.");
    expect(subjects(at)).toEqual(["upstream a.txt", "First task", "Second task"]);
    expect(at.read("a.txt")).toBe("both\n");
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
  });

  test("in a push: the next run pushes", async () => {
    const at = withHub([task(1), task(2)]);
    hook(at.hub, "pre-receive", `[ -e ${at.hub}/once ] && exit 0; touch ${at.hub}/once; sleep 600`);
    await killedIn(at, () => existsSync(join(at.hub, "once")));
    await at.ralph(...AGAIN);
    expect(inHub(at, "work")).toBe(git(at, "rev-parse", "HEAD"));
    expect(gitIn(at.hub, at, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });
});

describe("before the run begins", () => {
  const refused = async (at: Project, ...flags: string[]) => {
    const { exit, stderr } = await at.ralph("run", ...flags);
    expect(at.runs()).toEqual([]);
    expect(at.calls()).toEqual([]);
    return `${exit} ${stderr}`;
  };

  test("no repository, no git, a detached HEAD, and names of nothing", async () => {
    const plain = project({ git: false, files: FILES });
    expect(await refused(plain, "--commit")).toMatch(/^7 .*not a git repository/s);
    const at = withHub([]);
    expect(await refused(at, "--push=nowhere")).toContain("7 ralph: There is no remote nowhere to push to");
    expect(await refused(at, "--push=a b")).toContain("it must be auto, a remote's name, or REMOTE:BRANCH.");
    expect(await refused(at, "--tag", "x")).toContain("it must be patch, minor or a name with {n} in it");
    expect(await refused(at, "--rebase-on", "nothing")).toContain("There is no branch nothing to rebase on");
    expect(await refused(at, "--rebase-on", "work")).toContain("work cannot be rebased on itself");
    at.write(".ralph/.ralphrc", "\nREBASE_ON=nothing\n");
    expect(await refused(at)).toContain("7 ralph: .ralph/.ralphrc:2: There is no branch nothing to rebase on");
    at.write(".ralph/.ralphrc", "\nPUSH=nowhere\n");
    expect(await refused(at)).toContain("7 ralph: .ralph/.ralphrc:2: There is no remote nowhere to push to");
    git(at, "switch", "--quiet", "--detach");
    expect(await refused(at, "--commit")).toContain("7 ralph: HEAD is detached");
  });

  test("a rebase of somebody's own is left as it is, and so are patches", async () => {
    const at = withHub([]);
    upstream(at, { "a.txt": "theirs\n" });
    at.write("a.txt", "mine\n");
    git(at, "commit", "--quiet", "--all", "--message", "mine");
    git(at, "fetch", "--quiet", "origin");
    expect(() => git(at, "rebase", "origin/main")).toThrow();
    const before = readFileSync(at.path("a.txt"), "utf8");
    expect(await refused(at, "--commit")).toContain("7 ralph: A git rebase is under way in the repository");
    expect(git(at, "status")).toContain("rebase in progress");
    expect(at.read("a.txt")).toBe(before);
    git(at, "rebase", "--abort");
    at.write("../theirs.patch", git(at, "format-patch", "--stdout", "-1", "origin/main"));
    expect(() => git(at, "am", "../theirs.patch")).toThrow();
    const told = await refused(at, "--commit");
    expect(told).toContain("7 ralph: A git am is under way in the repository");
    expect(told).toContain("leave it with: git am --abort");
    expect(git(at, "status")).toContain("in the middle of an am session");
  });

  test("what the first commit will have beside the work is named, new files too, and those of ralph last", async () => {
    const at = withHub([task(1), task(2)]);
    at.write(".ralph/fix_plan.md", `${PLAN}- [ ] Fourth task\n`);
    const told = "goes into the first commit of the run (--commit)";
    const first = await at.ralph("run", "--max-iterations", "1", "--commit");
    expect(first.stderr).toContain(`${told}: .ralph/fix_plan.md.`);
    at.write(".ralph/fix_plan.md", `${PLAN}- [ ] Fifth task\n`);
    for (const name of ["1.env", "2.env", "3.env", "4.env"]) at.write(name, "secret\n");
    const { stderr } = await at.ralph("run", "--max-iterations", "2", "--commit");
    expect(stderr).toContain(`${told}: 1.env, 2.env, 3.env and 2 more.`);
    expect(git(at, "ls-files", "1.env")).toBe("1.env");
  });

  test("a branch without a commit gets its first one", async () => {
    const at = project({ git: "empty", steps: [task(1)], files: FILES });
    await at.ralph("run", "--max-iterations", "1", "--commit");
    expect(git(at, "log", "--format=%s")).toBe("First task");
  });
});
