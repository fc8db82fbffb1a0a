/** From a folder to the first iteration: one command, and Enter. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { KEYS, terminal } from "../support/terminal.ts";

afterAll(cleanUp);

const PACKAGE = JSON.stringify({ name: "shop", scripts: { test: "node -e 0" } });
const TODO = "# Todo\n\n- [ ] Sign in\n- [x] A page\n\n## Later\n\n- [ ] Pay\n";
const PRD = "# Shop\n\n## Requirements\n- FR-1: Sign in\n- FR-2: Pay\n";
const BACK_TAB = "\u001b[Z";

const shop = (files: Record<string, string>) =>
  project({ files: { "package.json": PACKAGE, ...files }, steps: [works(1), works(2), works(3)] });
const open = (where: Project, argv: string[], env: Record<string, string> = {}) =>
  terminal(argv, { cwd: where.dir, env: { ...where.env, ...env } });
const ONE = ["--max-iterations", "1"];
const firstTask = (where: Project) => where.event("iteration_started")?.task;

test.each([
  ["the environment", { CLAUDE_CODE_CMD: "my-agent" }, ""],
  ["the user's settings", {}, "CLAUDE_CODE_CMD=my-agent\n"],
])("set-up starts the agent whose command %s names, and the card shows it", async (_, env, settings) => {
  const where = project({
    files: { "../home/.config/ralph/ralphrc": settings },
    steps: [works(1)],
    env,
    agentName: "my-agent",
  });
  expect((await where.ralph()).stdout).toContain("✓ Claude Code 2.1.197");
  const { exit, stdout } = await where.ralph("setup", "--yes", "--task", "Sign in", "--start", ...ONE);
  expect([exit, firstTask(where)]).toEqual([4, "Sign in"]);
  expect(stdout).toContain("Claude Code 2.1.197");
});

describe.skipIf(process.platform === "win32")("set-up leads to the first iteration", () => {
  test("by Enter alone where a list of things to do is there: two keys", async () => {
    const where = shop({ "TODO.md": TODO });
    const screen = open(where, ["setup", ...ONE]);
    await screen.sees("the 2 open boxes of TODO.md");
    screen.type(KEYS.enter);
    await screen.sees("cost     no bound");
    await screen.sees("and start now?");
    expect(where.has(".ralph")).toBe(false);
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("Sign in");
    expect(where.event("iteration_started")).toMatchObject({ plan: { total: 2 } });
    expect(where.read("TODO.md")).toBe(TODO);
    expect(where.read(".ralph/.ralphrc")).toContain("\nMAX_ITERATIONS=1\n");
  });

  test("by Enter alone where a document is there, with two agents and without a test command: four keys", async () => {
    const where = shop({ "package.json": "{}", "index.js": "", "PRD.md": PRD });
    const codex = join(where.dir, "..", "bin", "codex");
    writeFileSync(codex, "#!/bin/sh\necho codex-cli 0.169.0\n");
    chmodSync(codex, 0o755);
    const screen = open(where, ["setup", ...ONE]);
    const questions = ["Which agent", "What is to be done?", "Which command runs the tests?", "and start now?"];
    for (const question of questions) {
      await screen.sees(question);
      screen.type(KEYS.enter);
    }
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("FR-1: Sign in");
    expect(where.calls()[0]?.stdin).toContain("build what `.ralph/specs/requirements.md` describes");
  });

  test("with the words that are typed, which are the first task and the goal", async () => {
    const where = shop({});
    const screen = open(where, ["setup", ...ONE]);
    await screen.sees("What is to be done?");
    screen.type(KEYS.enter);
    await screen.sees("In your words");
    screen.type(`Sign in by e-mail${KEYS.enter}`);
    await screen.sees("and start now?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("Sign in by e-mail");
    expect(where.calls()[0]?.stdin).toContain("What is to be done:\n\n> Sign in by e-mail\n");
  });

  test("with what was written in the editor, without its comment", async () => {
    const where = shop({});
    const editor = join(where.dir, "..", "bin", "write-goal");
    writeFileSync(
      editor,
      '#!/bin/sh\nprintf "Sell books\\n\\n- second hand\\n" | cat - "$2" > "$2.new" && mv "$2.new" "$2"\n',
    );
    chmodSync(editor, 0o755);
    const screen = open(where, ["setup", ...ONE], { VISUAL: "", EDITOR: "write-goal --wait" });
    await screen.sees("I write it in write-goal");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(where.read(".ralph/@fix_plan.md")).toContain("- [ ] Sell books\n  > second hand\n");
    expect(where.read(".ralph/@fix_plan.md")).not.toContain("save, and close");
  });

  test("and an editor that fails is named, and the question asked again", async () => {
    const where = shop({});
    const screen = open(where, ["setup"], { VISUAL: "false" });
    await screen.sees("I write it in false");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("false ended with 1");
    await screen.sees("What is to be done?");
    screen.type(KEYS.escape);
    expect(await screen.ended).toBe(130);
  });

  test("in a project of an import too", async () => {
    const where = project({ files: { "prd.md": PRD }, git: false, steps: [works(1)] });
    const screen = open(where, ["import", "prd.md", "--no-agent"], { MAX_ITERATIONS: "1" });
    await screen.sees("Where should the project go?");
    screen.type(KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(where.calls()[0]?.stdin).toContain("build what `.ralph/specs/requirements.md` describes");
  });

  test("from ralph alone, by one Enter more; and Escape leaves the folder as it is", async () => {
    const where = shop({ "TODO.md": TODO });
    const left = open(where, []);
    await left.sees("Set it up now?");
    left.type(KEYS.escape);
    expect([await left.ended, where.has(".ralph")]).toEqual([7, false]);
    const screen = open(where, [], { MAX_ITERATIONS: "1" });
    for (const question of ["Set it up now?", "What is to be done?", "and start now?"]) {
      await screen.sees(question);
      screen.type(KEYS.enter);
    }
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("Sign in");
  });

  test("with another answer after Shift+Tab, which leads back", async () => {
    const where = shop({ "TODO.md": TODO, "PRD.md": PRD });
    const screen = open(where, ["setup", ...ONE]);
    await screen.sees("What is to be done?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees(".ralph/specs/requirements.md");
    await screen.sees("and start now?");
    screen.type(BACK_TAB);
    await screen.sees("What is to be done?");
    // The first question has none before it.
    screen.type(BACK_TAB);
    await screen.sees("What is to be done?");
    await screen.sees("I say it later");
    screen.type(KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.down + KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.has(".ralph/specs/requirements.md")).toBe(false);
    expect(where.read(".ralph/@fix_plan.md")).toContain("- [ ] Pay\n");
  });

  test("with rights and bounds that were changed on the last page", async () => {
    const where = shop({ "TODO.md": TODO });
    const screen = open(where, ["setup"]);
    await screen.sees("What is to be done?");
    screen.type(KEYS.enter);
    await screen.sees("and start now?");
    screen.type(KEYS.down + KEYS.down + KEYS.enter);
    await screen.sees("Change a setting?");
    screen.type(KEYS.down + KEYS.enter);
    await screen.sees("MAX_ITERATIONS");
    screen.type(`x${KEYS.enter}`);
    await screen.sees("is not allowed");
    screen.type(`\u00151${KEYS.enter}`);
    await screen.sees("done: 1 change");
    screen.type(KEYS.enter);
    await screen.sees("1 iteration, 8 h");
    await screen.sees("and start now?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(where.read(".ralph/.ralphrc")).toContain("\nMAX_ITERATIONS=1\n");
  });
});

describe.skipIf(process.platform === "win32")("plain questions, for a screen reader", () => {
  test.each([
    ["ACCESSIBLE", { ACCESSIBLE: "1" }],
    ["a terminal that cannot draw", { TERM: "dumb" }],
  ])("with %s are numbered lines without a colour or a redraw, and lead to the first iteration", async (_, env) => {
    const where = shop({ "TODO.md": TODO });
    const screen = open(where, ["setup", ...ONE], env);
    await screen.sees("1. the 2 open boxes of TODO.md");
    await screen.sees("Number [1]:");
    screen.type("9\n");
    await screen.sees("Please give a number from 1 to 4.");
    screen.type("2\n");
    await screen.sees("In your words");
    screen.type("<\n");
    await screen.sees("What is to be done?");
    screen.type("\n");
    await screen.sees("and start now?");
    const asked = screen.raw();
    screen.type("\n");
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("Sign in");
    expect(asked).not.toContain("\u001b");
  });

  test("can be left with Ctrl+C and with Ctrl+D, and nothing is written", async () => {
    for (const key of [KEYS.interrupt, "\u0004"]) {
      const where = shop({ "TODO.md": TODO });
      const screen = open(where, ["setup"], { ACCESSIBLE: "1" });
      await screen.sees("Number [1]:");
      screen.type(key);
      expect([key, await screen.ended, where.has(".ralph")]).toEqual([key, 130, false]);
      expect(screen.screen()).toContain("Nothing was written.");
    }
  });
});

describe.skipIf(process.platform === "win32")("the settings of a project that is set up", () => {
  test("are shown with value and source; one is changed, and every other line stays byte for byte", async () => {
    const where = shop({});
    const settings = "# mine\nexport CB_COOLDOWN_MINUTES=5 \nMAX_ITERATIONS=7\n\n# theirs\nMAX_TIME='2h'\n";
    expect((await where.ralph("setup", "--yes", "--task", "Sign in")).exit).toBe(0);
    where.write(".ralph/.ralphrc", settings);
    const screen = open(where, ["setup"]);
    await screen.sees("Change a setting?");
    await screen.sees("7  (file .ralph/.ralphrc:3)");
    await screen.sees("2h  (file .ralph/.ralphrc:6)");
    screen.type(`${KEYS.down.repeat(5)}${KEYS.enter}`);
    await screen.sees("MAX_ITERATIONS");
    screen.type(`\u00159${KEYS.enter}`);
    await screen.sees("9  (changed)");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toBe(settings.replace("=7", "=9"));
  });

  test("lead to a run, if there is work", async () => {
    const where = shop({});
    expect((await where.ralph("setup", "--yes", "--max-iterations", "1", "--task", "Sign in")).exit).toBe(0);
    const screen = open(where, ["setup"]);
    await screen.sees("done, and start now");
    screen.type(KEYS.up + KEYS.up + KEYS.enter);
    expect(await screen.ended).toBe(4);
    expect(firstTask(where)).toBe("Sign in");
  });

  test("stay as they are after Escape, whatever was changed", async () => {
    const where = shop({});
    expect((await where.ralph("setup", "--yes", "--task", "Sign in")).exit).toBe(0);
    const before = where.read(".ralph/.ralphrc");
    const screen = open(where, ["setup"]);
    await screen.sees("Change a setting?");
    screen.type(`${KEYS.down.repeat(9)}${KEYS.enter}`);
    await screen.sees("DONE_POLICY");
    screen.type(KEYS.up + KEYS.enter);
    await screen.sees("(changed)");
    screen.type(KEYS.escape);
    expect([await screen.ended, where.read(".ralph/.ralphrc")]).toEqual([130, before]);
  });
});

describe("without a terminal", () => {
  test("flags say what is to be done, and --start begins with it", async () => {
    const where = shop({ "TODO.md": TODO });
    const flags = ["--yes", "--start", ...ONE, "--permission-mode", "acceptEdits", "--max-cost", "3"];
    const { exit, stdout } = await where.ralph("setup", ...flags, "--from", "TODO.md");
    expect([exit, firstTask(where)]).toEqual([4, "Sign in"]);
    expect(stdout).toContain("Set up: ");
    expect(where.read(".ralph/.ralphrc")).toMatch(/\nCLAUDE_PERMISSION_MODE=acceptEdits\n[\s\S]*\nMAX_COST_USD=3\n/);
    expect(where.event("run_started")?.settings).toMatchObject({ CLAUDE_PERMISSION_MODE: "acceptEdits" });
  });

  test("what a document leaves open waits in the inbox, as after an import", async () => {
    const where = shop({ "prd.md": "# Shop\n\n## Features\n\n- Pay\n\n## Open questions\n\n- Who hosts it?\n" });
    const { stderr } = await where.ralph("setup", "--yes", "--from", "prd.md");
    expect(stderr).toContain("1 open question: answer it with `ralph inbox`.");
    expect((await where.ralph("inbox")).stdout).toContain("Who hosts it?");
  });

  test("--task is the first task and the goal; a second one joins the plan", async () => {
    const where = shop({});
    for (const task of ["Sign in", "Pay"]) expect((await where.ralph("setup", "--yes", "--task", task)).exit).toBe(0);
    expect(where.read(".ralph/@fix_plan.md")).toContain("- [ ] Sign in\n- [ ] Pay\n");
    expect(where.read(".ralph/PROMPT.md")).toContain("> Sign in\n");
  });

  test("--start without anything to do says so, and calls nobody", async () => {
    const where = shop({});
    const { exit, stderr } = await where.ralph("setup", "--yes", "--start");
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining("nothing in it can be started yet") });
    expect(where.calls()).toEqual([]);
  });
});
