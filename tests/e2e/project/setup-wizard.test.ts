/** The wizard from the first question to the last file, in the compiled program, in a terminal. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { git } from "../support/git.ts";
import { type Project, project } from "../support/harness.ts";
import { KEYS, terminal } from "../support/terminal.ts";

const PACKAGE = JSON.stringify({ name: "shop", scripts: { test: "node --test" } });
const PRD = "# Shop\n\n## Requirements\n- FR-1: Sign in\n- FR-2: Pay\n";

/** Another agent beside the scripted `claude`. */
function installCodex({ dir }: Project): void {
  const path = join(dir, "..", "bin", "codex");
  writeFileSync(path, "#!/bin/sh\necho codex-cli 0.169.0\n");
  chmodSync(path, 0o755);
}

const open = (where: Project, ...argv: string[]) => terminal(argv, { cwd: where.dir, env: where.env });

describe.skipIf(process.platform === "win32")("the wizard", () => {
  test("asks nothing that it can find out: one Enter writes the files", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    const screen = open(where, "setup", "--from", "none");
    await screen.sees("What is here");
    await screen.sees("test: npm test");
    await screen.sees("50 iterations, 8 h, 100 calls an hour");
    await screen.sees("the agent runs commands");
    await screen.sees("Write these files?");
    expect(where.has(".ralph")).toBe(false);
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain("Next: ralph");
    expect(where.read(".ralph/.ralphrc")).toContain("TEST_COMMAND='npm test'");
    expect(
      Math.max(
        ...screen
          .screen()
          .split("\n")
          .map((line) => Bun.stringWidth(line)),
      ),
    ).toBeLessThanOrEqual(80);
  });

  test("asks which agent to use, and what is to be done", async () => {
    const where = project({ files: { "package.json": PACKAGE, "docs/prd.md": PRD } });
    installCodex(where);
    const screen = open(where, "setup");
    await screen.sees("Which agent will work here?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("What is to be done?");
    // The document that is there is the answer of Enter alone.
    screen.type(KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.down + KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toContain("PLATFORM_DRIVER=codex");
    expect(parsePlan(where.read(".ralph/@fix_plan.md"), []).tasks.map(({ text }) => text)).toEqual([
      "FR-1: Sign in",
      "FR-2: Pay",
    ]);
    expect(where.read(".ralph/specs/requirements.md")).toContain("FR-2: Pay");
  });

  test("asks for the test command if it cannot be found out", async () => {
    const where = project({ files: { "package.json": "{}", "index.js": "" } });
    const screen = open(where, "setup", "--from", "none");
    await screen.sees("Which command runs the tests?");
    screen.type(`make check${KEYS.enter}`);
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toContain("TEST_COMMAND='make check'");
  });

  test("shows a file's content on demand, and changes nothing if the user declines", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    const screen = open(where, "setup", "--from", "none");
    await screen.sees("Write these files?");
    screen.type(KEYS.down + KEYS.down + KEYS.enter);
    await screen.sees("Which one?");
    screen.type(KEYS.enter);
    await screen.sees("You are one iteration of a loop");
    await screen.sees("Write these files?");
    screen.type(KEYS.up + KEYS.enter);
    expect(await screen.ended).toBe(130);
    expect(where.has(".ralph")).toBe(false);
  });

  test("can be left with Ctrl+C at each question and leaves nothing behind", async () => {
    const where = project({
      files: { "package.json": "{}", "index.js": "", "prd.md": PRD, "PROMPT.md": "x", "@AGENT.md": "x" },
    });
    installCodex(where);
    const questions = [
      ["Which agent will work here?", KEYS.enter],
      ["What is to be done?", KEYS.down + KEYS.down + KEYS.enter],
      ["In your words: what is to be done?", `Sell things${KEYS.enter}`],
      ["Which command runs the tests?", KEYS.enter],
      ["Move them into .ralph/?", KEYS.enter],
      ["and start now?", KEYS.down + KEYS.down + KEYS.enter],
      ["Change a setting?", KEYS.enter],
      ["CLAUDE_PERMISSION_MODE", ""],
    ] as const;
    const before = readdirSync(where.dir).sort();
    for (const [last] of questions) {
      const screen = open(where, "setup");
      for (const [question, keys] of questions) {
        await screen.sees(question);
        screen.type(question === last ? KEYS.interrupt : keys);
        if (question === last) break;
      }
      expect([last, await screen.ended]).toEqual([last, 130]);
      expect(screen.screen()).toContain("Nothing was written.");
      expect(readdirSync(where.dir).sort()).toEqual(before);
    }
  });

  test("keeps an edited prompt until --force replaces it with a backup", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    const edited = `${where.read(".ralph/PROMPT.md")}\nMine.\n`;
    where.write(".ralph/PROMPT.md", edited);
    const screen = open(where, "setup");
    await screen.sees("Change a setting?");
    screen.type(KEYS.up + KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain("Nothing was changed.");
    expect(where.read(".ralph/PROMPT.md")).toBe(edited);
    const forced = JSON.parse((await where.ralph("setup", "--json", "--force")).stdout);
    expect(forced.files_changed).toEqual([".ralph/PROMPT.md"]);
    const [stamp = ""] = readdirSync(where.path(".ralph/backups"));
    expect(where.read(`.ralph/backups/${stamp}/.ralph/PROMPT.md`)).toBe(edited);
  });

  test.each([
    ["Ctrl+C", KEYS.interrupt],
    ["Escape", KEYS.escape],
  ])("leaves nothing behind after %s, not even the new folder", async (_, key) => {
    const where = project({ files: { "a.txt": "" } });
    const screen = open(where, "setup", "fresh", "--from", "none");
    await screen.sees("Write these files?");
    screen.type(key);
    expect(await screen.ended).toBe(130);
    expect(screen.screen()).toContain("Nothing was written.");
    expect(readdirSync(where.dir).sort()).toEqual([".git", "a.txt"]);
  });

  test("creates a new project with a repository of its own", async () => {
    const where = project({ files: {}, git: false });
    const screen = open(where, "setup", "my shop", "--from", "none");
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain('Next: cd "my shop" && ralph');
    const shop = { dir: where.path("my shop"), env: where.env };
    expect(git(shop, "log", "--format=%s %an")).toStartWith("chore: begin the project with ralph");
    expect(git(shop, "status", "--porcelain")).toBe("");
  });

  test("that is killed leaves no partial project, and nothing that the next one takes over", async () => {
    const where = project({ files: {}, git: false });
    const watcher = watch(where.dir);
    const killed = where.start("setup", "shop", "--yes");
    watcher.once("change", () => killed.kill("SIGKILL"));
    await killed.ended;
    watcher.close();
    if (where.has("shop")) expect(where.has("shop/.git/refs/heads/main")).toBe(true);
    where.write(".shop.ralph-new/half.txt", "");
    rmSync(where.path("shop"), { recursive: true, force: true });
    expect((await where.ralph("setup", "shop", "--yes")).exit).toBe(0);
    expect(readdirSync(where.dir)).toEqual(["shop"]);
    expect(readdirSync(where.path("shop")).sort()).toEqual([".git", ".ralph", "README.md", "src"]);
    const status = ["git", "-C", where.path("shop"), "status", "--porcelain"];
    expect(Bun.spawnSync(status, { env: where.env }).stdout.toString()).toBe("");
  });

  test("moves the files of an old layout, with a backup", async () => {
    const where = project({
      files: { "PROMPT.md": "Read specs/ first.\n", "@fix_plan.md": "- [x] a\n- [ ] b\n", "specs/x.md": "x" },
    });
    const screen = open(where, "setup");
    await screen.sees("Move them into .ralph/?");
    screen.type(KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.down + KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/PROMPT.md")).toBe("Read specs/ first.\n");
    expect(where.read(".ralph/@fix_plan.md")).toBe("- [x] a\n- [ ] b\n");
    expect(where.read(".ralph/specs/x.md")).toBe("x");
    expect(where.has("PROMPT.md")).toBe(false);
    const [stamp = ""] = readdirSync(where.path(".ralph/backups"));
    expect(existsSync(where.path(`.ralph/backups/${stamp}/PROMPT.md`))).toBe(true);
    expect(screen.screen()).toContain("it names files at their old places");
  });
});

describe("without a terminal", () => {
  test("setup names the flags that answer its questions and does not wait", async () => {
    const where = project({ files: {} });
    const { exit, stderr } = await where.ralph("setup");
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("--yes") });
    expect(where.has(".ralph")).toBe(false);
  });
  test("setup --json needs no other flag", async () => {
    const where = project({ files: {} });
    const { exit, stdout } = await where.ralph("enable", "--json");
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      success: true,
      already: false,
      driver: "claude-code",
    });
    expect(JSON.parse((await where.ralph("setup", "--json")).stdout)).toMatchObject({ already: true });
  });
  test("--dry-run shows each file as a patch, asks nothing and writes nothing, also where something is there", async () => {
    const where = project({ files: { "package.json": "{}\n" } });
    const { exit, stdout } = await where.ralph("setup", "shop", "--dry-run");
    expect(exit).toBe(0);
    expect(stdout).toContain("+++ b/.ralph/PROMPT.md");
    expect(stdout).toContain("Would be set up: ");
    expect(where.has("shop")).toBe(false);
    const json = JSON.parse((await where.ralph("setup", "--json", "--dry-run")).stdout);
    expect(json).toMatchObject({ already: false, dry_run: true, repository_created: false });
    expect(json.message).toStartWith("The project would be set up: ");
    expect(where.has(".ralph")).toBe(false);
    await where.ralph("setup", "--yes");
    expect((await where.ralph("setup", "--dry-run")).stdout).toContain("Nothing to do.");
  });
  test("flags change the settings of an existing project once", async () => {
    const where = project({ files: { ".ralph/PROMPT.md": "mine\n", ".ralphrc": "# mine\nMAX_CALLS_PER_HOUR=5\n" } });
    expect((await where.ralph("setup", "--yes", "--calls", "7", "--test-command", "make it's")).exit).toBe(0);
    expect(where.read(".ralphrc")).toBe(`# mine\nMAX_CALLS_PER_HOUR=7\nTEST_COMMAND="make it's"\n`);
    const again = JSON.parse(
      (await where.ralph("setup", "--json", "--calls", "7", "--test-command", "make it's")).stdout,
    );
    expect(again).toMatchObject({ already: true });
  });
  test.each<[string, string[], string]>([
    ["a bound of zero", ["--calls", "0"], "--calls"],
    ["a folder elsewhere", ["../evil"], "../evil"],
    ["a mistyped source", ["--from", "gihub"], "Did you mean github?"],
    ["a task beside a document", ["--task", "Sell", "--from", "none"], "--task"],
    ["a task without a word", ["--task", " "], "--task"],
    ["a mistyped driver", ["--driver", "codx"], "Did you mean codex?"],
    ["a missing driver file", ["--driver", "./mine.ts"], "./mine.ts"],
    ["an invalid time", ["--max-time", "soon"], "--max-time"],
    ["an invalid number", ["--max-iterations", "many"], "--max-iterations"],
    ["a name without a visible character", ["--name", " \u202e "], "--name"],
    ["a name of two lines", ["--name", "a\nb"], "--name"],
    ["a type of two words on two lines", ["--type", "type\nscript"], "--type"],
    ["a command of two lines", ["--test-command", "npm test\nrm x"], "--test-command"],
    ["a label without a visible character", ["--label", " "], "--label"],
    ["a document for another source", ["--from", "github", "--prd", "a.md"], "--prd"],
  ])("%s is refused before anything is written", async (_, argv, named) => {
    const where = project({ files: {} });
    const { exit, stderr } = await where.ralph("setup", "--yes", ...argv);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(named) });
    expect(readdirSync(where.dir)).toEqual([".git"]);
  });
  test("a missing document is refused as by import", async () => {
    const where = project({ files: {} });
    const { exit, stderr } = await where.ralph("setup", "--yes", "--prd", "nope.md");
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining("nope.md does not exist") });
  });
  test("a new project's document is relative to the folder of the command", async () => {
    const where = project({ files: { "what.md": PRD }, git: false });
    for (const path of ["what.md", where.path("what.md")]) {
      const { stdout } = await where.ralph(
        "setup",
        path.replace(/\W+/g, "-").replace(/^-/, ""),
        "--json",
        "--prd",
        path,
      );
      expect(JSON.parse(stdout)).toMatchObject({ tasks_imported: 2 });
    }
  });
  test("--prd needs no --from, and the type is any word", async () => {
    const where = project({ files: { "docs/what.md": PRD } });
    const { stdout } = await where.ralph("setup", "--json", "--prd", "docs/what.md", "--type", "klingon");
    expect(JSON.parse(stdout)).toMatchObject({ tasks_imported: 2, project_type: "klingon" });
    expect(where.read(".ralph/.ralphrc")).toContain("TASK_SOURCES=prd\n");
  });
});

describe("what is previewed, written and reported", () => {
  const filesBelow = (dir: string): string[] =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).replaceAll("\\", "/"))
      .filter((path) => !path.startsWith(".git/"))
      .sort();

  test("are the same files for a new project", async () => {
    const where = project({ files: {}, git: false });
    const asJson = JSON.parse((await where.ralph("setup", "one", "--json")).stdout);
    const written = filesBelow(where.path("one"));
    expect(asJson.files_created.toSorted()).toEqual(written);
    const below = [".ralphrc", "PROMPT.md", "@fix_plan.md", "@AGENT.md", "specs/", "examples/", "docs/generated/"];
    for (const start of [...below.map((name) => `.ralph/${name}`), "src/", "README.md"])
      expect(written.filter((path) => path.startsWith(start))).not.toEqual([]);
    expect(asJson).toMatchObject({
      repository_created: true,
      message: expect.stringContaining(`${written.length} new`),
    });
    const { stdout } = await where.ralph("setup", "two", "--yes");
    for (const path of written) expect(stdout).toContain(path);
    expect(stdout).toContain("+ .git ");
    expect(stdout).toContain(`Set up: ${written.length} new files.`);
  });
});

describe("a flat layout that was set up first, and moved later", () => {
  const OLD = {
    "PROMPT.md": "Read specs/ first.\n",
    "@fix_plan.md": "- [x] a\n- [ ] b\n",
    "specs/README.md": "my index\n",
    "specs/x.md": "x\n",
    "specs/deep/y.md": "y\n",
    "logs/ralph.log": "old\n",
  };
  test("loses nothing and says what moved and what stayed", async () => {
    const where = project({ files: OLD });
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    expect(where.has(".ralph/specs/README.md")).toBe(true);
    const { exit, stdout } = await where.ralph("setup", "--json", "--migrate");
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files_moved: ["PROMPT.md", "@fix_plan.md", "specs/deep", "specs/x.md", "logs"],
      files_kept: expect.arrayContaining(["specs/README.md"]),
      message: expect.stringContaining("5 files moved"),
    });
    const moved = {
      "PROMPT.md": ".ralph/PROMPT.md",
      "@fix_plan.md": ".ralph/@fix_plan.md",
      "specs/x.md": ".ralph/specs/x.md",
      "specs/deep/y.md": ".ralph/specs/deep/y.md",
      "logs/ralph.log": ".ralph/logs/ralph.log",
    };
    const [stamp = ""] = readdirSync(where.path(".ralph/backups"));
    for (const [from, to] of Object.entries(moved)) {
      const text = OLD[from as keyof typeof OLD];
      expect([where.read(to), where.has(from)]).toEqual([text, false]);
      expect(where.read(`.ralph/backups/${stamp}/${from}`)).toBe(text);
    }
    expect(where.read("specs/README.md")).toBe("my index\n");
    expect(readdirSync(where.path("specs"))).toEqual(["README.md"]);
    const again = await where.ralph("setup", "--json", "--migrate");
    expect(JSON.parse(again.stdout)).toMatchObject({ already: true });
  });
  test("leaves no empty folder", async () => {
    const { "specs/README.md": _, ...files } = OLD;
    const where = project({ files });
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    expect((await where.ralph("setup", "--yes", "--migrate")).exit).toBe(0);
    expect(where.has("specs")).toBe(false);
  });

  test("names the settings lines that every run will refuse", async () => {
    const where = project({ files: { ...OLD, ".ralphrc": "PROJECT_NAME=$(id)\nMAX_CALLS_PER_HOUR=7\n" } });
    const { exit, stderr } = await where.ralph("setup", "--yes", "--migrate");
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(/\.ralph\/\.ralphrc:1: This line is refused.*\n.*Fix this before the first run/),
    });
    const { warnings } = JSON.parse((await where.ralph("setup", "--json")).stdout);
    expect(warnings).toEqual([expect.stringContaining(".ralph/.ralphrc:1: This line is refused")]);
  });
});

describe("a task without any files", () => {
  test("says in seven lines what it will do, and starts", async () => {
    const where = project({ files: { "package.json": PACKAGE }, steps: [{ stdout: "" }] });
    where.write("package.json", `${PACKAGE}\n`);
    const { exit, stdout } = await where.ralph("Mend the tests", "--max-iterations", "1");
    expect(exit).toBe(4);
    const lines = stdout
      .split("\n")
      .slice(0, 7)
      .map((line) => line.trim().split(/ {2,}/));
    expect(lines.map(([label]) => label)).toEqual(["task", "agent", "branch", "gates", "bounds", "touches", "stop"]);
    expect(lines[2]).toEqual(["branch", expect.stringMatching(/^\w+, with changes that are not committed$/)]);
    expect(lines[3]).toEqual(["gates", "npm test"]);
    expect(where.calls()[0]?.stdin).toStartWith("Mend the tests");
  });
});
