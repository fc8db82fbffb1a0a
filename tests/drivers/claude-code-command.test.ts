import { describe, expect, test } from "bun:test";
import claudeCode from "../../drivers/claude-code.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Host } from "../../src/driver.ts";
import { NEW_ID, requestOf } from "./request.ts";

const OLD = "71d47842-88d2-453a-8d37-8386f190531f";

const base = requestOf({
  binary: ["claude"],
  prompt: "--dangerously-skip-permissions\nDo the next task.",
  permissionMode: "acceptEdits",
});
const words = (change: Partial<CommandRequest>) => claudeCode.buildCommand({ ...base, ...change }).argv.join(" ");

describe("the command line of Claude Code", () => {
  const head = "claude --output-format stream-json --verbose";
  const tail = `--session-id ${NEW_ID} -p`;
  test.each<[string, Partial<CommandRequest>, string]>([
    ["streams a new session with a chosen id", {}, `${head} --permission-mode acceptEdits ${tail}`],
    ["resumes a session", { resume: OLD }, `${head} --permission-mode acceptEdits --resume ${OLD} -p`],
    [
      "asks for partial text",
      { partial: true },
      `${head} --include-partial-messages --permission-mode acceptEdits ${tail}`,
    ],
    [
      "has no stream flags for text",
      { format: "text", partial: true },
      `claude --output-format text --permission-mode acceptEdits ${tail}`,
    ],
    [
      "names model and effort",
      { model: "opus", effort: "high" },
      `${head} --permission-mode acceptEdits --model opus --effort high ${tail}`,
    ],
    [
      "gives the context of a new session to the system prompt",
      { context: "Loop 3" },
      `${head} --permission-mode acceptEdits --append-system-prompt Loop 3 ${tail}`,
    ],
    [
      "bypasses permissions when no mode is set",
      { permissionMode: "" },
      `${head} --permission-mode bypassPermissions ${tail}`,
    ],
    ["omits an empty tool list", { allowedTools: [] }, `${head} --permission-mode acceptEdits ${tail}`],
    [
      "keeps the words of a wrapped binary",
      { binary: ["npx", "claude"] },
      `npx ${head} --permission-mode acceptEdits ${tail}`,
    ],
    [
      "offers a review no tool that writes",
      { readOnly: true, allowedTools: ["Write"] },
      `${head} --permission-mode default --tools Read,Glob,Grep --strict-mcp-config ${tail}`,
    ],
  ])("%s", (_, change, expected) => expect(words(change)).toBe(expected));

  test("has no user text after the tool list, which takes all words up to the next flag", () => {
    const tools = ["Read", "Bash(git add, commit)"];
    for (const change of [{}, { resume: OLD }, { context: "x" }, { model: "opus" }, { format: "text" as const }]) {
      const { argv } = claudeCode.buildCommand({ ...base, ...change, allowedTools: tools });
      const at = argv.indexOf("--allowedTools");
      expect(argv.slice(at + 1, at + 3)).toEqual(tools);
      expect(argv[at + 3]).toStartWith("--");
      expect(argv.at(-1)).toBe("-p");
    }
  });

  // From 2.1.268 on a conversation keeps the system prompt of its first call, whatever a later one passes.
  test("gives the context of a resumed session with the prompt, behind it", () => {
    const { argv, stdin } = claudeCode.buildCommand({ ...base, resume: OLD, context: "Loop 3" });
    expect(argv.join(" ")).toBe(`${head} --permission-mode acceptEdits --resume ${OLD} -p`);
    expect(stdin).toBe(`${base.prompt}\n\nLoop 3`);
  });

  test("leaves the prompt to stdin, in no argument", () => {
    const { argv, stdin, env } = claudeCode.buildCommand(base);
    expect(stdin).toBe(base.prompt);
    expect(argv.join(" ")).not.toContain("Do the next task");
    expect(env).toBeUndefined();
  });
});

describe("before a run of Claude Code", () => {
  const host = (isRoot: boolean, env: Host["env"] = {}): Host => ({
    platform: "linux",
    env,
    cwd: "/project",
    home: "/home/user",
    isRoot,
    which: () => null,
    run: async () => ({ exit_code: null, stdout: "", stderr: "" }),
  });
  const bypass = { ...base, permissionMode: "bypassPermissions" };
  test.each<[string, Host, CommandRequest, boolean]>([
    ["root may not bypass permissions", host(true), bypass, true],
    ["root may bypass them in a sandbox", host(true, { IS_SANDBOX: "1" }), bypass, false],
    ["root may bypass them in bubblewrap", host(true, { CLAUDE_CODE_BUBBLEWRAP: "1" }), bypass, false],
    ["root may not bypass them with any other value of IS_SANDBOX", host(true, { IS_SANDBOX: "true" }), bypass, true],
    ["root may accept edits", host(true), base, false],
    ["root may review", host(true), { ...bypass, readOnly: true }, false],
    ["a normal user may bypass permissions", host(false), bypass, false],
  ])("%s", (_, machine, request, refused) => {
    const said = claudeCode.preflight?.(machine, request) ?? null;
    expect(said !== null).toBe(refused);
    if (refused) expect(said).toMatch(/root\.\nSet IS_SANDBOX=1.*--permission-mode acceptEdits/);
  });

  test("only UUIDs are session ids", () => {
    const good = [OLD, OLD.toUpperCase()].map((id) => isSessionId(claudeCode, id));
    const bad = ["", "null", "nope", `${OLD} `, `-${OLD}`].map((id) => isSessionId(claudeCode, id));
    expect([good, bad]).toEqual([
      [true, true],
      [false, false, false, false, false],
    ]);
  });

  test("the help after a denial names the settings file and what the agent reads", () => {
    const help = claudeCode.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
    for (const word of [".ralph/.ralphrc", "bypassPermissions", "ALLOWED_TOOLS", "Bash(node *)"]) {
      expect(help).toContain(word);
    }
  });
});
