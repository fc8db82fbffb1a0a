/** The wizard's screens as the user sees them on 80 columns. The test answers the prompts. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { SETUP } from "../../../src/cli/definitions/setup.ts";
import { findingsLines } from "../../../src/cli/setup/findings-text.ts";
import { inspectSite } from "../../../src/cli/setup/inspect-site.ts";
import { readSetupFlags } from "../../../src/cli/setup/setup-flags.ts";
import { runWizard } from "../../../src/cli/setup/wizard.ts";
import { testFolder } from "../../folders.ts";
import { fakeContext } from "../fake-context.ts";

const top = testFolder("screens");

/** A keyboard that answers the questions in order, and a screen. */
function device(answers: readonly (readonly [shown: string, keys: string])[]) {
  let text = "";
  const left = [...answers];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const write = (chunk: Buffer, _: string, done: () => void) => {
    text += chunk.toString();
    const [next] = left;
    if (next !== undefined && text.includes(next[0])) {
      left.shift();
      queueMicrotask(() => input.write(next[1]));
    }
    done();
  };
  const output = Object.assign(new Writable({ write }), { columns: 80, rows: 40, isTTY: true });
  return { input, output, screen: () => Bun.stripANSI(text) };
}

async function wizard(files: Record<string, string>, answers: Parameters<typeof device>[0], argv: string[] = []) {
  const dir = join(top, "shop");
  rmSync(dir, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const { context } = fakeContext(parseArgs(SETUP, argv), {
    projectDir: dir,
    env: { HOME: top, PATH: "", IS_SANDBOX: "1" },
  });
  const { input, output, screen } = device(answers);
  const flags = readSetupFlags(context, context.args, null);
  const exit = await runWizard({ context, flags, name: null, source: null }, { input, output });
  return { exit, screen: screen() };
}

// Old Windows consoles get an ASCII frame.
test.skipIf(process.platform === "win32")(
  "the wizard shows its findings on one screen, and names every file before it writes",
  async () => {
    const manifest = JSON.stringify({
      name: "shop",
      scripts: { build: "tsc", test: "node --test", start: "node ." },
      dependencies: { express: "5" },
    });
    const { exit, screen } = await wizard({ "package.json": manifest, "tsconfig.json": "{}" }, [
      ["Which agent will you use?", "\r"],
      ["What is to be done?", "\u001b[A\r"],
      ["Write these files?", "\r"],
    ]);
    expect(exit).toBe(0);
    expect(screen).toMatchInlineSnapshot(`
    "┌  ralph setup: Enter goes on, Shift+Tab goes back, Esc leaves
    │
    ◇  What is here ──────────────────────────────────────────────────────╮
    │                                                                     │
    │  Folder     shop                                                    │
    │  Project    shop · TypeScript (npm)                                 │
    │  Commands   build: npm run build · test: npm test · run: npm start  │
    │  Git        no repository                                           │
    │  Agents     none on the PATH                                        │
    │                                                                     │
    ├─────────────────────────────────────────────────────────────────────╯
    │
    ◆  Which agent will you use? None is installed yet.
    │  ● Claude Code
    │  ○ OpenAI Codex
    │  ○ OpenCode
    │  ○ GitHub Copilot CLI
    │  ○ Cursor CLI
    └
    ◇  Which agent will you use? None is installed yet.
    │  Claude Code
    │
    ◆  What is to be done?
    │  ● I type it now
    │  ○ I write it in vi
    │  ○ I say it later
    └
    │  ○ I type it now
    │  ○ I write it in vi
    │  ● I say it later
    └
    ◇  What is to be done?
    │  I say it later
    │
    ◇  What a run may do, by .ralphrc ────────────────────────╮
    │                                                         │
    │  bounds   50 iterations, 8 h, 100 calls an hour         │
    │  touches  this folder; the agent runs commands unasked  │
    │  cost     no bound                                      │
    │                                                         │
    ├─────────────────────────────────────────────────────────╯
    │
    ◇  What will be written ──────────────────────────────────────────╮
    │                                                                 │
    │  + .ralph/PROMPT.md         the instructions for the agent      │
    │  + .ralph/@fix_plan.md      the tasks, as boxes to tick         │
    │  + .ralph/@AGENT.md         how to build, test and run it       │
    │  + .ralph/specs/README.md   your requirements go in here        │
    │  + .ralph/REVIEW_PROMPT.md  only for REVIEW_MODE, which is off  │
    │  + .ralph/.ralphrc          settings and bounds                 │
    │  + .ralph/.gitignore        keeps logs and runs out of git      │
    │  + .ralph/.setup.json       which of these ralph may update     │
    │                                                                 │
    ├─────────────────────────────────────────────────────────────────╯
    │
    ◆  Write these files?
    │  ● yes
    │  ○ change what a run may do and spend
    │  ○ look into one first
    │  ○ no, leave everything as it is
    └
    ◇  Write these files?
    │  yes
    │
    ◆  8 new files
    │
    └  Next: ralph doctor  Claude Code is not installed yet: this says how

    "
  `);
    expect(Math.max(...screen.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(80);
  },
);

test("the wizard shows the found commands in full on a narrow terminal, on more lines", () => {
  const dir = join(top, "narrow");
  mkdirSync(dir, { recursive: true });
  const scripts = { build: "x", test: "x", start: "x" };
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "shop", scripts }));
  const shown = findingsLines(
    inspectSite({ projectDir: dir, env: { HOME: top, PATH: "" } }, null),
    { agents: [], uncommitted: false },
    36,
  );
  expect(shown.join("\n")).toContain(
    "Commands   build: npm run build ·\n           test: npm test · run: npm\n           start",
  );
  for (const line of shown) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(36);
});

test("the wizard shows hostile names as text", async () => {
  const manifest = JSON.stringify({ name: "\u001b[2J\u202eevil\n\nname" });
  const { screen } = await wizard({ "package.json": manifest }, [
    ["Which agent will you use?", "\r"],
    ["What is to be done?", "\u0003"],
  ]);
  expect(screen).not.toContain("\u202e");
  expect(screen).toContain("evil name");
});

test("a signal ends the wizard as Ctrl+C does", async () => {
  const dir = join(top, "shop");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const { context } = fakeContext(parseArgs(SETUP, []), {
    projectDir: dir,
    env: { HOME: top, PATH: "", IS_SANDBOX: "1" },
  });
  const { input, output, screen } = device([]);
  const exit = await runWizard(
    { context, flags: readSetupFlags(context, context.args, null), name: null, source: null },
    { input, output, signal: AbortSignal.abort() },
  );
  expect({ exit, said: screen().includes("Nothing was written.") }).toEqual({ exit: 130, said: true });
});

test("the wizard mentions uncommitted work before it writes anything", () => {
  const dir = join(top, "dirty");
  mkdirSync(join(dir, ".git", "objects"), { recursive: true });
  mkdirSync(join(dir, ".git", "refs"));
  writeFileSync(join(dir, ".git", "HEAD"), `${"a".repeat(40)}\n`);
  const site = inspectSite({ projectDir: dir, env: { HOME: top, PATH: "" } }, null);
  const git = (uncommitted: boolean) =>
    findingsLines(site, { agents: [], uncommitted }, 80).find((line) => line.startsWith("Git"));
  expect(git(true)).toBe("Git        no branch, with changes that are not committed");
  expect(git(false)).toBe("Git        no branch");
});
