/** `ralph run --worktree`: the ordinary run, in a worktree of its own. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/answers.ts";
import { cleanUp, lives, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const FILES = {
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/@fix_plan.md": "- [ ] one\n",
  ".gitignore": "/.ralph/.ralphrc\n.env\n",
  "src.txt": "0\n",
};
/** Does the one task, commits it, and writes down where it did so. */
const commits = {
  shell:
    "sed -i 's/\\[ \\]/[x]/' .ralph/@fix_plan.md; echo \"$RALPH_WORKTREE $RALPH_PORT_BASE\" > where.txt; git add -A . && git commit -qm work",
  stdout: answer(),
};
const git = (at: Project, ...argv: string[]) =>
  Bun.spawnSync(["git", ...argv], { cwd: at.dir, env: at.env })
    .stdout.toString()
    .trim();
const inside = (name: string, ...path: string[]) => join(".ralph", "worktrees", name, ...path);
const once = ["--max-iterations", "1"];

describe("a run in a worktree", () => {
  test("works on its branch with the project's files, and leaves the project as it was", async () => {
    const at = project({ files: FILES, steps: [commits] });
    at.write(".ralph/.ralphrc", "WORKTREE_SETUP='echo set-up > set-up.txt; cat .env >> set-up.txt'\n");
    at.write(".worktreeinclude", ".env\n");
    at.write(".env", "A=1\n");
    at.write("src.txt", "mine\n");
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    expect(stderr).toContain("Worktree login: branch ralph/login, from ");
    expect(stderr).toContain("What is not committed in the project stays there.");
    expect(stderr).toContain("Once it is merged: ralph worktrees remove login");
    expect(at.read(inside("login", "set-up.txt"))).toBe("set-up\nA=1\n");
    expect(at.read(inside("login", "src.txt"))).toBe("0\n");
    expect(at.read(inside("login", "where.txt"))).toMatch(/^login 2\d{3}0\n$/);
    expect(git(at, "log", "-1", "--format=%s", "ralph/login")).toBe("work");
    expect(at.runs()).toEqual([]);
    expect(at.read("src.txt")).toBe("mine\n");
    expect(at.read(".ralph/@fix_plan.md")).toBe("- [ ] one\n");
    expect(git(at, "status", "--porcelain")).toBe("M src.txt\n?? .worktreeinclude");
  });

  test("is landed by the command that its end and `ralph land` name, and by nothing else", async () => {
    const at = project({ files: FILES, steps: [commits] });
    const land = "ralph land ralph/login";
    expect((await at.ralph("run", "--worktree=login", ...once)).stderr).toContain(`Put it on yours with: ${land}.`);
    const nothing = `Nothing waits to be landed on ${git(at, "branch", "--show-current")}.`;
    const named = `${nothing} Of a worktree, the branch is named: ${land}\n`;
    expect((await at.ralph("land", "--dry-run")).stdout).toBe(named);
    expect((await at.ralph("land")).stdout).toBe(named);
    expect((await at.ralph("land", "ralph/login", "--untested")).exit).toBe(0);
    expect((await at.ralph("land")).stdout).toBe(`${nothing}\n`);
  });

  test("is landed by the words that a refusal names, whatever the branch is called", async () => {
    const at = project({ files: FILES });
    const [branch, main] = ["it's;$x", git(at, "branch", "--show-current")];
    git(at, "switch", "-q", "-c", branch);
    git(at, "commit", "-q", "--allow-empty", "-m", "work");
    git(at, "switch", "-q", main);
    const { exit, stderr } = await at.ralph("land", branch);
    expect(exit).toBe(7);
    const [, line = ""] = /Or land untested: ralph (.*)\n/.exec(stderr) ?? [];
    const words = Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${line}`])
      .stdout.toString()
      .trim()
      .split("\n");
    expect(words).toEqual(["land", branch, "--untested"]);
    expect((await at.ralph(...words)).exit).toBe(0);
    expect(git(at, "log", "--format=%s", main)).toContain("work");
  });

  test("names what the agent did not commit, and so is not on its branch; what came along is no work", async () => {
    const steps = [
      { shell: "echo new > new.txt", stdout: answer() },
      { shell: "git add new.txt && git commit -qm new", stdout: answer() },
    ];
    const at = project({ files: FILES, steps });
    at.write("PROMPT-plan.md", "Plan.\n");
    const left = await at.ralph("run", "--worktree=login", ...once);
    expect(left.stderr).toContain("In no commit yet, and so not on branch ralph/login: new.txt.");
    const committed = await at.ralph("run", "--worktree=login", ...once);
    expect(committed.stderr).toContain("The work is on branch ralph/login;");
  });

  test("has its agent, gates and set-up work with its own repository, though the environment names another, as a git hook's does", async () => {
    const at = project({ files: FILES, steps: [commits] });
    const before = git(at, "rev-parse", "HEAD");
    const asked = "git rev-parse --abbrev-ref HEAD";
    at.write(".ralph/.ralphrc", `WORKTREE_SETUP='${asked} > set-up.txt'\nTEST_COMMAND='${asked} > gate.txt'\n`);
    Object.assign(at.env, { GIT_DIR: at.path(".git"), GIT_WORK_TREE: at.dir, GIT_INDEX_FILE: at.path(".git/index") });
    expect((await at.ralph("run", "--worktree=login", ...once)).exit).toBe(0);
    expect(git(at, "log", "-1", "--format=%s", "ralph/login")).toBe("work");
    expect(git(at, "rev-parse", "HEAD")).toBe(before);
    expect(["set-up.txt", "gate.txt"].map((file) => at.read(inside("login", file)))).toEqual([
      "ralph/login\n",
      "ralph/login\n",
    ]);
  });

  test("goes on where it was when the same name is given again, by space or by =", async () => {
    const at = project({ files: FILES, steps: [{ stdout: answer() }, { stdout: answer() }] });
    expect((await at.ralph("run", "--worktree", "login", ...once)).exit).toBe(4);
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
    expect([exit, stderr]).toEqual([4, expect.stringContaining("Worktree login: branch ralph/login, as it was left")]);
    expect(readdirSync(at.path(inside("login", ".ralph", "runs"))).length).toBe(2);
    expect(git(at, "worktree", "list").split("\n").length).toBe(2);
  });

  test("commits no file of ralph's that the project has in no commit, so that its branch can land", async () => {
    const at = project({ files: { "src.txt": "0\n" }, steps: [commits] });
    const files = {
      ".ralph/PROMPT.md": "Do it.\n",
      ".ralph/@fix_plan.md": "- [ ] one\n",
      ".ralph/specs/a b.md": "A\n",
    };
    for (const [path, text] of Object.entries(files)) at.write(path, text);
    at.write(".ralph/.ralphrc", "TEST_COMMAND=true\n");
    expect((await at.ralph("run", "--worktree=login", ...once)).exit).toBe(0);
    expect(git(at, "diff", "--name-only", "HEAD", "ralph/login")).toBe("where.txt");
    expect(at.read(inside("login", ".ralph/@fix_plan.md"))).toBe("- [x] one\n");
    expect((await at.ralph("land", "ralph/login")).exit).toBe(0);
    expect(at.read("where.txt")).toStartWith("login ");
    expect((await at.ralph("worktrees", "remove", "login")).exit).toBe(0);
  });

  test("of a task in words needs no files, and takes a free name", async () => {
    const at = project({ files: { "src.txt": "0\n" }, steps: [{ shell: "echo 1 > src.txt", stdout: answer() }] });
    const { exit } = await at.ralph("Write a one there", "--worktree", ...once);
    expect(exit).toBe(4);
    expect(at.read(inside("oak", "src.txt"))).toBe("1\n");
    expect(at.read("src.txt")).toBe("0\n");
    expect(git(at, "status", "--porcelain")).not.toContain("worktrees");
  });

  test("goes into the background, and is reached by its name", async () => {
    const steps = [{ shell: "while [ ! -e .ralph/go ]; do sleep 0.05; done", stdout: answer() }];
    const at = project({ files: FILES, steps });
    const { exit, stdout } = await at.ralph("run", "--worktree", "--detach", ...once);
    expect(exit).toBe(0);
    expect(stdout).toContain("ralph stop -C project/oak");
    await until("a call", () => at.calls().length === 1);
    const { runs } = JSON.parse((await at.ralph("ps", "--json")).stdout);
    expect(runs).toMatchObject([{ project: at.path(inside("oak")), status: "running", iteration: 1 }]);
    expect((await at.ralph("ps")).stdout).toMatch(/^● project\/oak {2}executing · iteration 1 · one/);
    for (const name of ["project/oak", "oak"])
      expect(JSON.parse((await at.ralph("status", "--json", "-C", name)).stdout).project).toBe(at.path(inside("oak")));
    expect((await at.ralph("worktrees", "remove", "oak", "--force")).stderr).toContain(
      "A run lives in the worktree oak",
    );
    const { pid } = JSON.parse(at.read(inside("oak", ".ralph", "lock")));
    expect((await at.ralph("stop", "-C", "project/oak", "--now")).exit).toBe(0);
    await until("the end", () => !lives(pid));
    expect((await at.ralph("worktrees")).stdout).toContain("oak  stopped_by_user · ralph/oak from ");
  });

  test("runs beside others of the same project, each with a lock and ports of its own", async () => {
    const steps = [{ shell: 'echo "$RALPH_PORT_BASE" > port.txt', stdout: answer() }];
    const at = project({ files: FILES, steps });
    const names = ["a", "b", "c", "d"];
    const ends = await Promise.all(names.map((name) => at.ralph("run", `--worktree=${name}`, ...once)));
    expect(ends.map(({ exit, stderr }) => (exit === 4 ? "" : `${exit}: ${stderr}`))).toEqual(["", "", "", ""]);
    expect(new Set(names.map((name) => at.read(inside(name, "port.txt")))).size).toBe(4);
    const twice = await Promise.all([1, 2].map(() => at.ralph("run", "--worktree=a", ...once)));
    expect(twice.map(({ exit }) => exit).sort()).toEqual([4, 7]);
  });

  test("that was killed with its ralph is recovered by the next start", async () => {
    const at = project({ files: FILES, steps: [{ shell: "sleep 600", stdout: answer() }, { stdout: answer() }] });
    const live = at.start("run", "--worktree=login", ...once);
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGKILL");
    await live.ended;
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
    expect([exit, stderr]).toEqual([4, expect.stringContaining("as it was left")]);
  });

  test.skipIf(process.platform !== "linux")(
    "that was killed while git made it is made by the next start, and that git ended",
    async () => {
      const at = project({
        files: { ...FILES, ".gitattributes": "src.txt filter=slow\n" },
        steps: [{ stdout: answer() }],
      });
      const pid = at.path("../pid.txt");
      const slow = `[ -e '${pid}' ] && exec cat; echo $PPID > '${pid}'; sleep 600 </dev/null; cat`;
      git(at, "config", "filter.slow.smudge", slow);
      git(at, "config", "filter.slow.clean", "cat");
      const live = at.start("run", "--worktree=login", ...once);
      await until("the checkout", () => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n"));
      live.kill("SIGKILL");
      await live.ended;
      expect(lives(Number(readFileSync(pid, "utf8")))).toBe(true);
      expect((await at.ralph("worktrees")).stdout).toContain("login  half made");
      expect(await at.ralph("run", "--worktree=login", ...once)).toMatchObject({ exit: 4 });
      expect(lives(Number(readFileSync(pid, "utf8")))).toBe(false);
      expect(at.read(inside("login", "src.txt"))).toBe("0\n");
      expect(git(at, "worktree", "list").split("\n").length).toBe(2);
    },
  );

  test.skipIf(process.platform === "win32")(
    "whose folder its agent deletes ends with where the work is and how it goes on",
    async () => {
      const deletes = { ...commits, shell: `${commits.shell}; d=$PWD; cd ..; rm -rf "$d"` };
      const at = project({ files: FILES, steps: [deletes, { stdout: answer() }] });
      const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
      expect([exit, stderr]).toEqual([7, expect.stringContaining("The files of the worktree login are gone.")]);
      expect(stderr).toContain(
        "What was committed is on branch ralph/login. Make it anew with: ralph run --worktree=login",
      );
      expect((await at.ralph("run", "--worktree=login", ...once)).exit).toBe(4);
      expect(at.read(inside("login", "where.txt"))).toStartWith("login ");
    },
  );

  test.skipIf(process.platform === "win32")(
    "is not gone on with where its agent deleted it and ralph's own files came back",
    async () => {
      const at = project({
        files: FILES,
        steps: [{ shell: 'd=$PWD; cd ..; rm -rf "$d"; mkdir "$d"', stdout: answer() }],
      });
      expect((await at.ralph("run", "--worktree=login", ...once)).exit).toBe(7);
      const { exit, stderr } = await at.ralph("run", "-C", "project/login", ...once);
      expect([exit, stderr]).toEqual([7, expect.stringContaining("The worktree login has files and no .git in ")]);
      expect(at.calls()).toHaveLength(1);
    },
  );

  test("is only shown by --dry-run", async () => {
    const at = project({ files: FILES });
    const { exit, stdout } = await at.ralph("run", "--worktree=login", "--dry-run");
    expect(exit).toBe(0);
    expect(stdout).toContain("Do the next task.");
    expect(at.has(".ralph/worktrees")).toBe(false);
    expect(git(at, "branch", "--list", "ralph/*")).toBe("");
  });
});

describe("no worktree is made", () => {
  test.each([
    ["without a prompt", { "src.txt": "0\n" }, [], "The prompt "],
    ["without the agent", FILES, ["--driver", "codex"], "is not installed"],
    ["for a setting that is wrong", FILES, ["--max-iterations", "many"], "--max-iterations"],
  ])("%s", async (_, files, flags, says) => {
    const at = project({ files });
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...flags);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(says);
    expect(at.has(".ralph/worktrees")).toBe(false);
    expect(git(at, "branch", "--list", "ralph/*")).toBe("");
  });

  test("in a repository without a commit", async () => {
    const at = project({ files: FILES, git: "empty" });
    const { exit, stderr } = await at.ralph("run", "--worktree");
    expect([exit, stderr]).toEqual([7, expect.stringContaining("this repository has none yet.")]);
    expect(at.has(".ralph/worktrees")).toBe(false);
  });

  test("whose set-up the user has not agreed to; what is agreed to counts in the worktree", async () => {
    const at = project({ files: FILES, steps: [{ stdout: answer() }, { stdout: answer() }], env: { RALPH_TRUST: "" } });
    at.write(".ralph/.ralphrc", "WORKTREE_SETUP='echo yes > set-up.txt'\nQUALITY_GATES='test -e src.txt'\n");
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
    expect([exit, stderr]).toEqual([7, expect.stringContaining("WORKTREE_SETUP  echo yes > set-up.txt")]);
    expect(at.has(".ralph/worktrees")).toBe(false);
    await at.ralph("trust", "--yes");
    expect(await at.ralph("run", "--worktree=login", ...once)).toMatchObject({ exit: 4 });
    expect(at.read(inside("login", "set-up.txt"))).toBe("yes\n");
    const settings = at.path(inside("login", ".ralph", ".ralphrc"));
    writeFileSync(settings, readFileSync(settings, "utf8").replace("test -e", "test -f"));
    const again = await at.ralph("run", "--worktree=login", ...once);
    expect([again.exit, again.stderr]).toEqual([7, expect.stringContaining("QUALITY_GATES  test -f src.txt")]);
  });
});

describe("a set-up", () => {
  test("that fails ends with 7 and its output, and the next start tries it again", async () => {
    const at = project({ files: FILES, steps: [{ stdout: answer() }] });
    at.write(".ralph/.ralphrc", "WORKTREE_SETUP='echo no network; exit 3'\n");
    const { exit, stderr } = await at.ralph("run", "--worktree=login", ...once);
    expect([exit, stderr]).toEqual([7, expect.stringContaining("no network")]);
    expect(stderr).toContain("ralph worktrees remove login");
    expect((await at.ralph("worktrees")).stdout).toContain("login  set-up not done · ralph/login");
    at.write(".ralph/.ralphrc", "WORKTREE_SETUP=true\n");
    expect((await at.ralph("run", "--worktree=login", ...once)).exit).toBe(4);
  });

  test("ends with a signal, and with it what it started", async () => {
    const at = project({ files: FILES });
    at.write(".ralph/.ralphrc", "WORKTREE_SETUP='echo $$ > pid.txt; sleep 600 & wait'\n");
    const live = at.start("run", "--worktree=login");
    const file = at.path(inside("login", "pid.txt"));
    await until("the set-up", () => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
    const pid = Number(readFileSync(file, "utf8"));
    await until("the end of the set-up", () => !lives(pid));
  });
});

describe("ralph worktrees", () => {
  test("lists and removes them", async () => {
    const at = project({ files: FILES, steps: [commits] });
    expect((await at.ralph("worktrees")).stdout).toContain("This project has no worktree.");
    await at.ralph("run", "--worktree=login", ...once);
    const refused = await at.ralph("worktrees", "remove", "login");
    expect([refused.exit, refused.stderr]).toEqual([
      7,
      expect.stringContaining("ralph/login of the worktree login is merged into no other branch yet."),
    ]);
    git(at, "merge", "--quiet", "ralph/login");
    const { exit, stdout } = await at.ralph("worktrees", "remove", "login");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Its branch ralph/login is gone too.")]);
    expect(existsSync(at.path(inside("login")))).toBe(false);
    expect((await at.ralph("ps", "--json", "--all")).stdout).not.toContain("worktrees/login");
    expect(JSON.parse((await at.ralph("worktrees", "--json")).stdout)).toEqual({ worktrees: [] });
    const none = await at.ralph("worktrees", "remove", "login");
    expect([none.exit, none.stderr]).toEqual([7, expect.stringContaining('There is no worktree "login"')]);
  });

  test("what is left of a removed one goes with the runs of its time", async () => {
    const at = project({ files: FILES, steps: [commits, commits, commits] });
    await at.ralph("run", "--worktree=login", ...once);
    expect((await at.ralph("worktrees", "remove", "login", "--force")).exit).toBe(0);
    const past = at.path(".ralph/worktrees/.past/login");
    const refs = () => git(at, "for-each-ref", "--format=%(refname)", "refs/ralph").split("\n").filter(Boolean);
    const [run = ""] = readdirSync(past);
    const before = refs();
    expect(before.filter((ref) => ref.startsWith(`refs/ralph/${run}.`)).length).toBeGreaterThan(2);
    await at.ralph("run", ...once);
    expect((await at.ralph("checkpoints", "prune", "--keep", "9", "--yes")).stdout).toBe(
      "There is nothing to delete.\n",
    );
    // As if it had been in another second.
    renameSync(join(past, run), join(past, "0001-20260101-000000"));
    expect((await at.ralph("checkpoints", "prune", "--keep", "1")).stderr).toContain(
      "whether to delete the checkpoints of 1 removed worktree.",
    );
    await at.ralph("checkpoints", "prune", "--keep", "1", "--yes");
    expect(refs().filter((ref) => before.includes(ref))).toEqual([]);
    expect(refs().length).toBeGreaterThan(0);
    expect(readdirSync(past)).toHaveLength(1);
    await at.ralph("run", ...once);
    await at.ralph("runs", "prune", "--keep", "1", "--yes");
    expect(readdirSync(past)).toEqual([]);
    expect(git(at, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });
});
