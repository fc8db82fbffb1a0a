/** `ralph import` in a terminal: keys are typed into the compiled program, and the screen is read. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { binary } from "../../../scripts/lib/paths.ts";
import { importMarker } from "../../../src/cli/import/import-dialogue.ts";
import type { Step } from "../../agents/scripted.ts";
import { claudeSays } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { KEYS, type Terminal, terminal } from "../support/terminal.ts";

afterAll(cleanUp);

const PRD = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";
const mark = importMarker({ name: "prd.md", text: PRD });
const block = (name: string, text: string) => `<<<FILE ${mark} ${name}\n${text}\n>>>END ${mark}`;
const ANSWER = claudeSays(
  [
    block("goal.md", "A shop."),
    block("@fix_plan.md", "## High Priority\n- [ ] FR-1: Sign in\n- [ ] FR-2: Pay"),
    block("specs/requirements.md", "# FR-1\n# FR-2"),
  ].join("\n"),
);

type Typing = { screen: Terminal; type(...keys: (keyof typeof KEYS)[]): void };

/** Everything typed after the command, to be counted. */
function begin(where: Project, typed: string[], ...argv: string[]): Typing {
  const screen = terminal(argv, { cwd: where.dir, env: where.env });
  return {
    screen,
    type(...keys) {
      typed.push(...keys);
      screen.type(keys.map((key) => KEYS[key]).join(""));
    },
  };
}

const open = (steps: readonly Step[], files: Record<string, string> = {}) =>
  project({ files: { "prd.md": PRD, ...files }, git: false, steps });

describe.skipIf(process.platform === "win32")("an import on a terminal", () => {
  test("leads to the first iteration with one command and no key but Enter", async () => {
    const where = open([ANSWER, { hangs: true }]);
    const typed: string[] = [];
    const importing = begin(where, typed, "import", "prd.md");
    await importing.screen.sees("Where should the project go?");
    await importing.screen.sees("● this folder");
    importing.type("enter");
    await importing.screen.sees("Who reads prd.md and plans the work?");
    await importing.screen.sees("● Claude Code");
    importing.type("enter");
    await importing.screen.sees("Reading prd.md.");
    await importing.screen.sees("2 tasks planned · 1 call of Claude Code");
    await importing.screen.sees("What a run may do, by .ralphrc");
    await importing.screen.sees("50 iterations, 8 h, 100 calls an hour");
    await importing.screen.sees("Write these files and start now?");
    expect(readdirSync(where.dir).sort()).toEqual([".ralph", "prd.md"]);
    importing.type("enter");
    const running = importing;
    await running.screen.sees("Imported 2 tasks: ");
    await running.screen.sees("Next: ralph ");
    expect(readdirSync(where.dir).sort()).toEqual([".git", ".ralph", "README.md", "prd.md", "src"]);
    await running.screen.sees("Iteration 1 ");
    await running.screen.sees("plan 0/2");
    while (where.calls().length < 2) await Bun.sleep(5);
    expect(typed.filter((key) => key !== "enter")).toEqual([]);
    expect(where.calls()[1]?.cwd).toBe(where.dir);
    running.type("interrupt");
    await running.screen.sees("Stopping after this iteration");
    running.type("interrupt");
    expect(await running.screen.ended).toBe(130);
  });

  test("is what set-up hands a document to that an agent is to read, and it leads to the first iteration too", async () => {
    const where = open([ANSWER, { hangs: true }], { "package.json": "{}" });
    const { screen, type } = begin(where, [], "setup");
    await screen.sees("what prd.md says, read by an agent: one call, two at most");
    type("down", "enter");
    await screen.sees("Who reads prd.md and plans the work?");
    expect(where.calls()).toEqual([]);
    type("enter");
    await screen.sees("2 tasks planned · 1 call of Claude Code");
    await screen.sees("and start now?");
    type("enter");
    await screen.sees("Iteration 1 ");
    await screen.sees("plan 0/2");
    type("interrupt");
    await screen.sees("Stopping after this iteration");
    type("interrupt");
    expect(await screen.ended).toBe(130);
    expect(where.has("package.json")).toBe(true);
  });

  test("has rights and bounds to be changed on its last page, as set-up has", async () => {
    const where = open([ANSWER, { hangs: true }]);
    const { screen, type } = begin(where, [], "import", "prd.md", ".", "--no-agent");
    await screen.sees("and start now?");
    type("down", "down", "enter");
    await screen.sees("Change a setting?");
    type("down", "enter");
    await screen.sees("MAX_ITERATIONS");
    screen.type(`\u00153${KEYS.enter}`);
    await screen.sees("done: 1 change");
    type("enter");
    await screen.sees("3 iterations, 8 h");
    await screen.sees("and start now?");
    type("down", "enter");
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/.ralphrc")).toContain("\nMAX_ITERATIONS=3\n");
  });

  test("offers a new folder first if the current one is in use, and goes there with Enter alone", async () => {
    const where = open([ANSWER], { "notes.txt": "mine" });
    const { screen, type } = begin(where, [], "import", "prd.md");
    await screen.sees("● a new folder, ./prd");
    type("enter");
    await screen.sees("Who reads prd.md");
    type("enter");
    await screen.sees("and start now?");
    type("down", "enter");
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain("Imported 2 tasks into ./prd: ");
    expect(screen.screen()).toContain("Next: cd prd && ralph");
    expect(readdirSync(where.dir).sort()).toEqual(["notes.txt", "prd", "prd.md"]);
  });

  test.each(["Where should the project", "Who reads", "Reading prd.md.", "and start now?"])(
    "leaves nothing behind after Ctrl+C at: %s",
    async (until) => {
      const where = open([until.startsWith("Reading") ? { hangs: true } : ANSWER], { "notes.txt": "mine" });
      const { screen, type } = begin(where, [], "import", "prd.md");
      for (const question of ["Where should the project", "Who reads"].slice(
        0,
        until === "Where should the project" ? 0 : until === "Who reads" ? 1 : 2,
      )) {
        await screen.sees(question);
        type("enter");
      }
      await screen.sees(until);
      if (until.startsWith("Reading")) while (where.calls().length === 0) await Bun.sleep(5);
      type("interrupt");
      expect(await screen.ended).toBe(130);
      expect(screen.screen()).toMatch(/nothing was written/i);
      expect(readdirSync(where.dir).sort()).toEqual(["notes.txt", "prd.md"]);
    },
  );

  test("leaves nothing behind if it is terminated at the last question", async () => {
    const where = open([ANSWER], { "notes.txt": "mine" });
    const { screen, type } = begin(where, [], "import", "prd.md");
    await screen.sees("Where should the project");
    type("enter");
    await screen.sees("Who reads");
    type("enter");
    await screen.sees("and start now?");
    process.kill(screen.pid, "SIGTERM");
    expect(await screen.ended).toBe(143);
    expect(readdirSync(where.dir).sort()).toEqual(["notes.txt", "prd.md"]);
  });

  test("assumes 80 columns if the terminal does not report its width", async () => {
    const where = open([ANSWER]);
    const program = ["/bin/sh", "-c", 'stty columns 0; exec "$0" "$@"', binary];
    const screen = terminal(["import", "prd.md"], { cwd: where.dir, env: where.env, program });
    for (const question of ["Where should the project go?", "Who reads prd.md and plans the work?"]) {
      await screen.sees(question);
      screen.type(KEYS.enter);
    }
    await screen.sees("and start now?");
    screen.type(KEYS.down + KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(screen.screen()).toContain("Claude Code · import, reads only\n");
  });

  test("names the project if it is the one around this folder", async () => {
    const where = open([ANSWER], { ".ralph/PROMPT.md": "mine\n", "docs/more.md": PRD });
    const screen = terminal(["-C", "docs", "import", "more.md"], { cwd: where.dir, env: where.env });
    await screen.sees("The project is ..");
    await screen.sees("Who reads more.md");
    screen.type(KEYS.interrupt);
    expect(await screen.ended).toBe(130);
    expect(readdirSync(where.path("docs"))).toEqual(["more.md"]);
  });

  test("offers the rules first if no agent is installed", async () => {
    const where = project({ files: { "prd.md": PRD }, git: false, agentName: "nobody" });
    const { screen, type } = begin(where, [], "import", "prd.md");
    await screen.sees("Where should the project");
    type("enter");
    await screen.sees("No agent is installed here");
    await screen.sees("● ralph alone, by rules");
    type("enter");
    await screen.sees("Write these files?");
    type("enter");
    expect(await screen.ended).toBe(0);
    expect(where.read(".ralph/@fix_plan.md")).toContain("FR-2: Pay");
    expect(where.calls()).toEqual([]);
  });

  test("says why the named agent cannot be asked, and offers the rules", async () => {
    const where = open([ANSWER], { ".ralph/PROMPT.md": "mine\n" });
    const { screen, type } = begin(where, [], "import", "prd.md", "--driver", "codex");
    await screen.sees("OpenAI Codex is not installed");
    await screen.sees("● ralph alone, by rules");
    type("down", "enter");
    expect(await screen.ended).toBe(130);
    expect(where.has(".ralph/@fix_plan.md")).toBe(false);
  });
});
