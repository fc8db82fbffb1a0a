/** `ralph land` as a person types it: what it prints, its JSON, its exit codes, and what is left of it. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import process from "node:process";
import { works } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const FILES = {
  ".gitignore": ".ralph/\n",
  ".ralph/PROMPT.md": "Work.\n",
  ".ralph/.ralphrc": 'TEST_COMMAND="sh check.sh"\n',
  "check.sh": "! grep -rl BROKEN --include='*.txt' .\n",
};

function withBranches(branches: Record<string, string>, files: Record<string, string> = FILES): Project {
  const at = project({ files });
  git(at, "branch", "-m", "main");
  for (const [name, text] of Object.entries(branches)) {
    git(at, "checkout", "--quiet", "-b", name, "main");
    at.write(`${name}.txt`, text);
    git(at, "add", "--all");
    git(at, "commit", "--quiet", "-m", `work on ${name}`);
    git(at, "checkout", "--quiet", "main");
  }
  return at;
}

describe("ralph land", () => {
  test("prints a line for each batch, gate and landing; logs and status tell the same", async () => {
    const at = withBranches({ good: "good", bad: "BROKEN", fine: "fine" });
    const { exit, stdout } = await at.ralph("land", "good", "bad", "fine");
    expect(exit).toBe(6);
    const plain = stdout.replace(/\[[^\]]*\] /g, "").replace(/\([0-9a-f]{7}\)/g, "(commit)");
    expect(plain.split("\n").filter((line) => /^ {2}[·✓✗!] (?!gate|sh )/.test(line))).toEqual([
      "  · On main, to be tested: good, bad, fine",
      "  ✗ Red: main with good, bad, fine",
      "  ✓ Green: main with good",
      "  ✗ Red: main with good, bad",
      "  ✓ Landed on main (commit): good",
      "  ✗ Not landed: bad: its gates are red; it stays as it is.",
      "  · On main, to be tested: fine",
      "  ✓ Green: main with fine",
      "  ✓ Landed on main (commit): fine",
    ]);
    expect((await at.ralph("logs")).stdout).toContain("Not landed: bad: its gates are red");
    expect((await at.ralph("status")).stdout).toContain("not_all_landed");
    expect([at.has("good.txt"), at.has("fine.txt"), at.has("bad.txt")]).toEqual([true, true, false]);
  });

  test("has a diff: what landed, and nothing else", async () => {
    const at = withBranches({ good: "good\n", fine: "fine\n" });
    at.write("mine.txt", "of a person\n");
    await at.ralph("land", "good", "fine");
    const { stdout } = await at.ralph("diff");
    expect(stdout).toMatch(/^commit [0-9a-f]{7} Land/);
    expect(stdout.match(/^\+\+\+ .*$/gm)).toEqual(["+++ b/fine.txt", "+++ b/good.txt"]);
  });

  test("names the files in which a branch conflicts with the target, also in the logs", async () => {
    const at = withBranches({ mine: "mine" });
    for (const file of ["mine.txt", "other.txt"]) at.write(file, "theirs\n");
    git(at, "add", "--all");
    git(at, "commit", "--quiet", "-m", "theirs");
    const { exit, stdout } = await at.ralph("land", "mine");
    const why = "Not landed: mine: it conflicts with what is on the target (mine.txt); it stays as it is.";
    const words = (text: string) => text.replace(/\n\[[^\]]*\] +/g, " ");
    expect([exit, words(stdout)]).toEqual([6, expect.stringContaining(why)]);
    expect(words((await at.ralph("logs")).stdout)).toContain(why);
    expect(at.event("land_returned")?.files).toEqual(["mine.txt"]);
  });

  test("--json is one document, and --dry-run changes nothing", async () => {
    const at = withBranches({ good: "good" });
    const before = git(at, "for-each-ref");
    const dry = await at.ralph("land", "good", "gone", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({
      target: "main",
      branches: [{ branch: "good", task: null }],
      left: [{ name: "gone", why: "there is no such branch" }],
    });
    expect([git(at, "for-each-ref"), at.runs()]).toEqual([before, []]);
    const { exit, stdout } = await at.ralph("land", "good", "--json");
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { target: "main", landed: [{ branch: "good" }], returned: [], left: [], tested: 1, flakes: 0 },
    ]);
  });

  test("with nothing that waits ends at once", async () => {
    const at = withBranches({});
    expect(await at.ralph("land")).toEqual({ exit: 0, stdout: "Nothing waits to be landed on main.\n", stderr: "" });
    const { stdout } = await at.ralph("land", "--json");
    const tip = git(at, "rev-parse", "main");
    const none = { landed: [], returned: [], left: [], tested: 0, flakes: 0, stopped: false };
    expect(JSON.parse(stdout)).toEqual({ target: "main", from: tip, to: tip, ...none });
  });

  test("with nothing that waits is no run: status, report and undo tell of the work before it", async () => {
    const at = withBranches({});
    at.script([works(1)]);
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("land");
    expect(at.runs()).toHaveLength(1);
    expect((await at.ralph("status")).stdout).toContain("max_iterations");
    expect((await at.ralph("undo")).exit).toBe(0);
  });

  test("names for an undo the run before that kept files, past those that kept none", async () => {
    const at = withBranches({ good: "good" });
    at.script([works(1)]);
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("land", "gone");
    await at.ralph("land", "good");
    expect((await at.ralph("undo")).stderr).toContain(`ralph checkpoints ${at.runs()[0]}`);
  });

  test("keeps the files for an undo, which says what this run and the one before can give back", async () => {
    const at = withBranches({ good: "good" });
    at.script([works(1)]);
    await at.ralph("run", "--max-iterations", "1");
    await at.ralph("land", "good");
    expect((await at.ralph("checkpoints")).stdout).toMatch(/^land-1 .* before landing\n/);
    const { exit, stderr } = await at.ralph("undo");
    expect([exit, stderr]).toEqual([7, expect.stringContaining("has no iteration.")]);
    expect(stderr).toContain(
      `The files before landing: ralph undo --to land-1. Those of the run before: ralph checkpoints ${at.runs()[0]}`,
    );
    expect((await at.ralph("undo", "--to", "land-1")).exit).toBe(0);
    expect([at.has("good.txt"), at.has("src/1.txt")]).toEqual([false, true]);
  });

  test.skipIf(process.platform === "win32")("says how to take back what git wrote before it failed", async () => {
    const at = withBranches({ good: "good" });
    const half = "echo half > check.sh; echo half > good.txt; echo 'fatal: No space left' >&2; exit 128";
    const real = Bun.which("git");
    at.write("../bin/git", `#!/bin/sh\ncase " $* " in *" --ff-only "*) ${half} ;; esac\nexec ${real} "$@"\n`);
    chmodSync(at.path("../bin/git"), 0o755);
    const { exit, stdout } = await at.ralph("land", "good");
    expect([exit, stdout.replace(/\s+(?:\[[^\]]*\]\s+)?/g, " ")]).toEqual([
      6,
      expect.stringContaining("No space left. Take back what it wrote with: ralph undo --to land-1"),
    ]);
    await at.ralph("undo", "--to", "land-1");
    expect(git(at, "status", "--porcelain")).toBe("");
  });

  test("names no other run to an undo where there is none", async () => {
    const at = withBranches({ good: "good" });
    await at.ralph("land", "good");
    expect((await at.ralph("undo")).stderr).toEndWith("The files before landing: ralph undo --to land-1\n");
  });

  test("refuses without a gate, for a name twice, and without a repository: one sentence each", async () => {
    const at = withBranches({ good: "good" }, { ".ralph/PROMPT.md": "Work.\n", ".gitignore": ".ralph/\n" });
    const ungated = await at.ralph("land", "good");
    expect([ungated.exit, ungated.stdout]).toEqual([7, ""]);
    expect(ungated.stderr).toContain("this project has no gate.\n  Set one with: ralph gates adopt");
    expect(at.runs()).toEqual([]);
    expect((await at.ralph("land", "good", "good")).stderr).toContain("named twice");
    const untested = await at.ralph("land", "good", "--untested");
    expect([untested.exit, untested.stdout]).toEqual([0, expect.stringContaining("On main, nothing tests it: good")]);
    expect(untested.stdout).toContain("See what landed with: ralph logs");
    expect(untested.stdout).not.toContain("Green");
    const plain = project({ git: false });
    expect((await plain.ralph("land", "x")).stderr).toContain("is in no git repository");
  });

  test("of what is not committed says that no checkpoint could be made, and lands all the same", async () => {
    const at = withBranches({ good: "good", fine: "fine" });
    // A file where the refs would be: for root too.
    at.write(".git/refs/ralph", "");
    at.write("mine.txt", "mine");
    const { exit, stdout } = await at.ralph("land", "good", "fine");
    expect([exit, at.has("good.txt"), at.has("fine.txt"), at.read("mine.txt")]).toEqual([0, true, true, "mine"]);
    expect(stdout).toContain("! No checkpoint of the files could be made: ");
    expect(at.event("note")?.text).toContain("It is landed all the same.");
  });

  test("is stopped by ralph stop --now: nothing of it is left, and the branch waits", async () => {
    const slow = { ...FILES, ".ralph/.ralphrc": 'TEST_COMMAND="sleep 60"\n' };
    const at = withBranches({ good: "good" }, slow);
    const before = git(at, "rev-parse", "main");
    const live = at.start("land", "good");
    await until("the gate runs", () => at.event("gate_started") !== undefined);
    await at.ralph("stop", "--now");
    const { exit, stdout } = await live.ended;
    expect([exit, stdout]).toEqual([0, expect.stringContaining("it was stopped before its turn")]);
    expect([git(at, "rev-parse", "main"), at.has(".ralph/worktrees/.land")]).toEqual([before, false]);
    expect(git(at, "worktree", "list").split("\n")).toHaveLength(1);
  });
});

/** Its branch has files that take 3 s to write; each is told. */
const SLOW = {
  ...FILES,
  ".gitignore": ".ralph/\n*.wrote\n",
  ".gitattributes": "*.slow filter=slow\n",
  "slow.sh": 'echo >> "$0.wrote"; sleep 0.25; cat\n',
};

describe.skipIf(process.platform !== "linux")("a landing that is killed while git writes files", () => {
  const slowProject = (): Project => {
    const at = withBranches({}, SLOW);
    git(at, "checkout", "--quiet", "-b", "work");
    for (let nth = 10; nth < 22; nth += 1) at.write(`${nth}.slow`, "x\n");
    git(at, "add", "--all");
    git(at, "commit", "--quiet", "-m", "work");
    git(at, "checkout", "--quiet", "main");
    git(at, "config", "filter.slow.clean", "cat");
    git(at, "config", "filter.slow.smudge", `sh ${at.path("slow.sh")}`);
    return at;
  };

  test("in the checkout of its user leaves git to finish that, and the next landing finds it done", async () => {
    const at = slowProject();
    const before = git(at, "rev-parse", "main");
    const live = at.start("land", "work");
    await until("it is written", () => at.has("10.slow"));
    live.kill("SIGKILL");
    await live.ended;
    // Last of all, after the index.
    await until("git has moved the branch", () => git(at, "rev-parse", "main") !== before);
    expect([git(at, "status", "--porcelain"), at.has("21.slow")]).toEqual(["", true]);
    const { exit, stdout } = await at.ralph("land", "work");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("On main already: work")]);
  }, 30_000);

  test("in its scratch checkout holds the next one up by nothing that it left at work", async () => {
    const at = slowProject();
    const live = at.start("land", "work");
    await until("it is written", () => at.has("slow.sh.wrote") && at.read("slow.sh.wrote").length > 4);
    live.kill("SIGKILL");
    await live.ended;
    expect((await at.ralph("land", "work")).exit).toBe(0);
    expect(at.has("21.slow")).toBe(true);
  }, 30_000);
});
