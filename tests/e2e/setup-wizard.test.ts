/** The wizard from the first question to the last file, on the compiled program, in a terminal. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "../../src/core/plan.ts";
import { type Project, project, until } from "./harness.ts";
import { KEYS, terminal } from "./terminal.ts";

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
  test("asks nothing that it could find out: one Enter writes the files", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    const screen = open(where, "setup");
    await screen.sees("What is here");
    await screen.sees("test: npm test");
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

  test("asks which agent is to work, and whether to take tasks", async () => {
    const where = project({ files: { "package.json": PACKAGE, "docs/prd.md": PRD } });
    installCodex(where);
    const screen = open(where, "setup");
    await screen.sees("Which agent is to work here?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("Take tasks from somewhere?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toContain("PLATFORM_DRIVER=codex");
    expect(parsePlan(where.read(".ralph/@fix_plan.md"), []).tasks.map(({ text }) => text)).toEqual([
      "FR-1: Sign in",
      "FR-2: Pay",
    ]);
    expect(where.read(".ralph/specs/requirements.md")).toContain("FR-2: Pay");
  });

  test("asks for the test command where nothing tells it", async () => {
    const where = project({ files: { "package.json": "{}", "index.js": "" } });
    const screen = open(where, "setup");
    await screen.sees("Which command runs the tests?");
    screen.type(`make check${KEYS.enter}`);
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toContain("TEST_COMMAND='make check'");
  });

  test("shows what is in the files on demand, and leaves everything as it is when told so", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    const screen = open(where, "setup");
    await screen.sees("Write these files?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("You are one iteration of a loop");
    await screen.sees("Write these files?");
    screen.type(KEYS.up + KEYS.enter);
    expect(await screen.ended).toBe(130);
    expect(where.has(".ralph")).toBe(false);
  });

  test.each([
    ["Ctrl+C", KEYS.interrupt],
    ["Escape", KEYS.escape],
  ])("leaves nothing behind after %s, not even the new folder", async (_, key) => {
    const where = project({ files: { "a.txt": "" } });
    const screen = open(where, "setup", "fresh");
    await screen.sees("Write these files?");
    screen.type(key);
    expect(await screen.ended).toBe(130);
    expect(screen.screen()).toContain("Nothing was written.");
    expect(readdirSync(where.dir).sort()).toEqual([".git", "a.txt"]);
  });

  test("makes a new project with a repository of its own", async () => {
    const where = project({ files: {}, git: false });
    const screen = open(where, "setup", "my shop");
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain('Next: cd "my shop" && ralph');
    const log = Bun.spawnSync(["git", "log", "--format=%s %an"], {
      cwd: where.path("my shop"),
      env: where.env,
    }).stdout.toString();
    expect(log).toStartWith("chore: begin the project with ralph");
    expect(
      Bun.spawnSync(["git", "status", "--porcelain"], { cwd: where.path("my shop"), env: where.env }).stdout.toString(),
    ).toBe("");
  });

  test("moves the files of an old layout, with a backup", async () => {
    const where = project({
      files: { "PROMPT.md": "Read specs/ first.\n", "@fix_plan.md": "- [x] a\n- [ ] b\n", "specs/x.md": "x" },
    });
    const screen = open(where, "setup");
    await screen.sees("Move them into .ralph/?");
    screen.type(KEYS.enter);
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/PROMPT.md")).toBe("Read specs/ first.\n");
    expect(where.read(".ralph/@fix_plan.md")).toBe("- [x] a\n- [ ] b\n");
    expect(where.read(".ralph/specs/x.md")).toBe("x");
    expect(where.has("PROMPT.md")).toBe(false);
    const [stamp = ""] = readdirSync(where.path(".ralph/backups"));
    expect(existsSync(where.path(`.ralph/backups/${stamp}/PROMPT.md`))).toBe(true);
    expect(screen.screen()).toContain("it names files at their old places");
  });

  test("says so where nothing is to do", async () => {
    const where = project({ files: { "package.json": PACKAGE } });
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    const screen = open(where, "setup");
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain("Nothing is to do here.");
  });
});

describe.skipIf(process.platform === "win32")("from a document to the first iteration", () => {
  test("two commands, and no key beyond Enter", async () => {
    const where = project({ files: { "prd.md": PRD }, git: false, steps: [{ stdout: "" }] });
    const screen = open(where, "import", "prd.md", "--no-agent");
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    const run = terminal(["-C", "prd", "--max-iterations", "1"], { cwd: where.dir, env: where.env });
    await until("the agent was called", () => where.calls().length > 0);
    expect(where.calls()[0]?.stdin).toContain("build what `.ralph/specs/requirements.md` describes");
    expect(await run.ended).toBe(4);
  });
});

describe("without a terminal", () => {
  test("setup names the flags that answer its questions, and waits for nobody", async () => {
    const where = project({ files: {} });
    const { exit, stderr } = await where.ralph("setup");
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("--yes") });
    expect(where.has(".ralph")).toBe(false);
  });
  test("--json needs no other flag", async () => {
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
  test("flags change the settings of a project that is there, once", async () => {
    const where = project({ files: { ".ralph/PROMPT.md": "mine\n", ".ralphrc": "# mine\nMAX_CALLS_PER_HOUR=5\n" } });
    expect((await where.ralph("setup", "--yes", "--calls", "7", "--test-command", "make it's")).exit).toBe(0);
    expect(where.read(".ralphrc")).toBe(`# mine\nMAX_CALLS_PER_HOUR=7\nTEST_COMMAND="make it's"\n`);
    const again = JSON.parse(
      (await where.ralph("setup", "--json", "--calls", "7", "--test-command", "make it's")).stdout,
    );
    expect(again).toMatchObject({ already: true });
  });
  test("a bad value is refused before anything is written", async () => {
    const where = project({ files: {} });
    expect((await where.ralph("setup", "--yes", "--calls", "0")).exit).toBe(2);
    expect((await where.ralph("setup", "../evil", "--yes")).exit).toBe(2);
    expect(readdirSync(where.dir)).toEqual([".git"]);
  });
});

describe("a task without any files", () => {
  test("says in six lines what it is about to do, and starts", async () => {
    const where = project({ files: { "package.json": PACKAGE }, steps: [{ stdout: "" }] });
    const { exit, stdout } = await where.ralph("Mend the tests", "--max-iterations", "1");
    expect(exit).toBe(4);
    const lines = stdout
      .split("\n")
      .slice(0, 6)
      .map((line) => line.trim().split(/ {2,}/));
    expect(lines.map(([label]) => label)).toEqual(["agent", "branch", "checks", "bounds", "touches", "stop"]);
    expect(lines[2]).toEqual(["checks", "npm test"]);
    expect(where.calls()[0]?.stdin).toStartWith("Mend the tests");
  });
});
