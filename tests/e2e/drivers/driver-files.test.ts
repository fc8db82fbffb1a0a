/** Driver files in the compiled program: where they are found, and how unusable ones are reported. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Project, project } from "../support/harness.ts";

const TRUST = "--trust-driver";
const UNTRUSTED = { git: false, env: { RALPH_TRUST: "" } };
const driver = (name: string, more = "") =>
  `export default { name: "${name}", displayName: "${name}", cliBinary: "nowhere", validTools: [], buildCommand: (r) => ({ argv: [...r.binary], stdin: r.prompt }), ${more} };\n`;

function userFolder(p: Project): string {
  if (process.platform === "win32") return join(p.env.APPDATA ?? "", "ralph");
  if (process.platform === "darwin") return join(p.env.HOME ?? "", "Library", "Application Support", "ralph");
  return join(p.env.HOME ?? "", ".config", "ralph");
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function show(p: Project, ...argv: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await p.ralph("drivers", "show", ...argv, "--json");
  return JSON.parse(stdout);
}

describe("a driver file is found", () => {
  test.each(["ts", "js", "mjs"])("in the project, as .%s", async (ending) => {
    const p = project({ files: { [`.ralph/drivers/mine.${ending}`]: driver("mine") }, git: false });
    expect(await show(p, "mine", TRUST)).toMatchObject({
      name: "mine",
      source: p.path(`.ralph/drivers/mine.${ending}`),
    });
  });

  test("with types, which are stripped even if they come from nowhere", async () => {
    const text = `import type { Driver } from "./nowhere.ts";\n${driver("mine").replace("(r) =>", "(r: { binary: string[]; prompt: string }) =>").replace("};", "} satisfies Driver;")}`;
    const p = project({ files: { ".ralph/drivers/mine.ts": text }, git: false });
    expect(await show(p, "mine", TRUST)).toMatchObject({ name: "mine" });
  });

  test("in the user's folder without a question, after the project's", async () => {
    const p = project({ files: {}, git: false });
    put(join(userFolder(p), "drivers", "mine.mjs"), driver("mine"));
    expect(await show(p, "mine")).toMatchObject({ source: join(userFolder(p), "drivers", "mine.mjs") });
    p.write(".ralph/drivers/mine.mjs", driver("mine"));
    expect(await show(p, "mine", TRUST)).toMatchObject({ source: p.path(".ralph/drivers/mine.mjs") });
  });

  test("by its path, which needs trust only inside the project", async () => {
    const p = project({ ...UNTRUSTED, files: { "mine.mjs": driver("mine") } });
    expect(await show(p, "./mine.mjs", TRUST)).toMatchObject({ source: p.path("mine.mjs") });
    expect(await show(p, "./mine.mjs")).toMatchObject({ error: { code: "environment" } });
    const outside = join(p.env.HOME ?? "", "mine.mjs");
    put(outside, driver("mine"));
    expect(await show(p, outside)).toMatchObject({ name: "mine", source: outside });
  });

  test("by an outside path in the project's own settings, only with trust", async () => {
    const p = project({ ...UNTRUSTED, files: {} });
    const outside = join(p.env.HOME ?? "", "mine.mjs");
    put(outside, driver("mine"));
    p.write(".ralph/PROMPT.md", "x");
    p.write(".ralph/.ralphrc", `PLATFORM_DRIVER="${outside}"\n`);
    expect(await p.ralph("prompt")).toMatchObject({ exit: 7, stderr: expect.stringContaining("ralph trust") });
    expect(await p.ralph("prompt", TRUST)).toMatchObject({ exit: 0 });
  });
});

test("a project's file cannot take the place of a built-in driver, a user's can", async () => {
  const p = project({ files: { ".ralph/drivers/codex.mjs": driver("codex", "experimental: true") }, git: false });
  expect(await show(p, "codex", TRUST)).toMatchObject({ source: "built-in" });
  const { stdout } = await p.ralph("drivers", "--json", TRUST);
  expect(JSON.parse(stdout)).toContainEqual({
    name: "codex",
    source: p.path(".ralph/drivers/codex.mjs"),
    problem: expect.stringContaining("built-in"),
  });
  put(join(userFolder(p), "drivers", "codex.mjs"), driver("codex", "experimental: true"));
  expect(await show(p, "codex")).toMatchObject({ experimental: true });
});

describe("a file that is not a driver", () => {
  test("is refused with everything that is wrong with it", async () => {
    const text = `export default { displayName: 7, validTools: "Read", buildCommand() {}, suportsSessions: true };\n`;
    const p = project({ files: { ".ralph/drivers/mine.js": text }, git: false });
    const { exit, stderr } = await p.ralph("drivers", "show", "mine", TRUST);
    expect(exit).toBe(2);
    for (const words of [
      p.path(".ralph/drivers/mine.js"),
      "name is missing",
      "displayName must be a text",
      "cliBinary is missing",
      "validTools must be an array of texts",
      "suportsSessions is not a member of a driver. Did you mean supportsSessions?",
      `ralph drivers show ${p.path(".ralph/drivers/mine.js")}`,
    ])
      expect(stderr).toContain(words);
    // The program comes without its source.
    expect(stderr).not.toContain("src/");
  });

  test.each([
    ["does not parse", "export default {"],
    ["throws", 'throw new Error("no luck");'],
    ["exports nothing", "export const driver = {};"],
    ["imports what is not there", 'import a from "./none.ts";\nexport default a;'],
  ])("because it %s is named, and the others are listed all the same", async (_, text) => {
    const p = project({ files: { ".ralph/drivers/mine.ts": text }, git: false });
    expect(await p.ralph("drivers", "show", "mine", TRUST)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(p.path(".ralph/drivers/mine.ts")),
    });
    const { exit, stdout } = await p.ralph("drivers", TRUST);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining("claude-code") });
  });
});

test("a driver whose events lack what belongs to them costs those events, and the run goes on", async () => {
  const events =
    "{ line: (text) => [{ type: 'text' }, { type: 'session_id', session_id: 7 }, { type: 'text', text }], end: () => [{ type: 'finished', ok: true }] }";
  const p = project({
    files: {
      ".ralph/PROMPT.md": "Work.\n",
      ".ralph/drivers/mine.mjs": driver("mine", `decoder: () => (${events})`),
      "agent.sh": "echo hello\n",
    },
    env: { CLAUDE_CODE_CMD: "sh agent.sh" },
  });
  const { exit, stdout, stderr } = await p.ralph("run", "-v", "--driver", "mine", TRUST, "--max-iterations", "1");
  expect(stdout + stderr).toContain("could not read (its");
  expect(stdout + stderr).not.toContain("internal_error");
  expect(exit).toBe(4);
});

test("a driver that fails is listed with its failure, and the others are listed all the same", async () => {
  const p = project({
    files: { ".ralph/drivers/mine.mjs": driver("mine", "checkAvailable() { throw new Error('oops'); }") },
    git: false,
  });
  const { exit, stdout } = await p.ralph("drivers", TRUST);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining("claude-code") });
  expect(stdout).toContain("checkAvailable of the driver");
});

describe("a driver that fails inside a run", () => {
  const withDriver = (more: string) =>
    project({
      files: {
        ".ralph/PROMPT.md": "Work.\n",
        ".ralph/drivers/mine.mjs": driver("mine", more),
        "agent.sh": "echo hello\n",
      },
      env: { CLAUDE_CODE_CMD: "sh agent.sh" },
    });
  const run = (p: Project) => p.ralph("run", "--driver", "mine", TRUST, "--max-iterations", "1");

  test.each([
    ["buildCommand throws", "buildCommand() {\nthrow new Error('oops'); }", "buildCommand", ":2 failed: oops"],
    ["a decoder throws", "decoder() {\n\nthrow new Error('oops'); }", "decoder", ":3 failed: oops"],
    [
      "a hook rejects",
      "async fallbackSessionId() {\nthrow new Error('oops'); }",
      "fallbackSessionId",
      ":2 failed: oops",
    ],
    [
      "a decoder is none",
      "decoder: () => 7",
      "decoder",
      " did not return { line(text), end(stderr) } (it gave: number).",
    ],
    [
      "buildCommand is async",
      "buildCommand: async () => ({ argv: ['sh'] })",
      "buildCommand",
      " did not return a command: { argv: [program, ...arguments], stdin?: text, env?: { NAME: text } } (it gave: a promise).",
    ],
  ])("because %s ends it as what the user can mend, and is named with its line", async (_, more, member, why) => {
    const p = withDriver(more);
    const { exit, stdout, stderr } = await run(p);
    const sentence = `${member} of the driver ${p.path(".ralph/drivers/mine.mjs")}${why}`;
    expect({ exit, end: p.event("run_finished") }).toMatchObject({
      exit: 7,
      end: { stop_reason: "environment_error", exit_code: 7, sentence },
    });
    expect(stdout).toContain("Mend what the error names");
    expect(stderr).toContain(sentence);
    expect(stderr).toContain("ralph drivers test");
  });

  test("at a line of its agent is named with its line, and the agent is not", async () => {
    const p = withDriver("decoder: () => ({\nline() { throw new Error('oops'); }, end: () => [] })");
    await run(p);
    expect(p.events()).toContainEqual(
      expect.objectContaining({
        type: "note",
        level: "warn",
        text: `mine printed a line that the driver ${p.path(".ralph/drivers/mine.mjs")}:2 could not read (oops)`,
      }),
    );
  });
});

test("an unknown driver name is refused with the list of known ones", async () => {
  const p = project({ files: { ".ralph/drivers/mine.mjs": driver("mine") }, git: false });
  const { exit, stderr } = await p.ralph("prompt", "--driver", "mime");
  expect(exit).toBe(2);
  expect(stderr).toMatch(/no driver called "mime"\. Did you mean mine\?[\s\S]*claude-code, .*mine/);
});
