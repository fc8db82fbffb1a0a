import { describe, expect, test } from "bun:test";
import cursor from "../../drivers/cursor.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Host } from "../../src/driver.ts";
import { requestOf } from "./request.ts";

const ID = "6f2f5c0e-3a53-4d3b-9c53-6f0c1d5b7a11";

const base = requestOf({ binary: ["cursor-agent"] });
const words = (change: Partial<CommandRequest>) => cursor.buildCommand({ ...base, ...change }).argv.join(" ");

describe("the command line of Cursor", () => {
  const head = "cursor-agent -p --force --output-format";
  test.each<[string, Partial<CommandRequest>, string]>([
    ["streams JSON", {}, `${head} stream-json`],
    ["asks for partial text", { partial: true }, `${head} stream-json --stream-partial-output`],
    ["has no partial text in the format text", { partial: true, format: "text" }, `${head} text`],
    ["resumes a session", { resume: ID }, `${head} stream-json --resume ${ID}`],
    [
      "names the model and has no flag for effort",
      { model: "gpt-5", effort: "low" },
      `${head} stream-json --model gpt-5`,
    ],
    ["has no flag for a list of tools", { allowedTools: ["Read"] }, `${head} stream-json`],
    ["has no flag for another permission mode", { permissionMode: "acceptEdits" }, `${head} stream-json`],
    [
      "keeps the words of a wrapped binary",
      { binary: ["wsl", "agent"] },
      "wsl agent -p --force --output-format stream-json",
    ],
    [
      "uses the mode ask for a review",
      { readOnly: true },
      "cursor-agent -p --mode ask --trust --output-format stream-json",
    ],
  ])("%s", (_, change, expected) => expect(words(change)).toBe(expected));

  test("leaves the prompt to stdin, after the context", () => {
    expect(cursor.buildCommand(base)).toMatchObject({ stdin: base.prompt });
    expect(cursor.buildCommand({ ...base, context: "Loop 3." }).stdin).toBe(`Loop 3.\n\n${base.prompt}`);
    expect(words({ context: "Loop 3." })).not.toMatch(/Loop 3|next task/);
  });
});

type Status = { stdout?: string; stderr?: string; exit_code?: number | null };

function host(platform: NodeJS.Platform, there: readonly string[], env: Host["env"] = {}, status: Status = {}) {
  const asked: string[][] = [];
  const machine: Host = {
    platform,
    env,
    cwd: "/project",
    home: "/home/user",
    isRoot: false,
    which: (program) => (there.includes(program) ? `/bin/${program}` : null),
    run: async (argv) => {
      asked.push([...argv]);
      return { exit_code: 0, stdout: "", stderr: "", ...status };
    },
  };
  return { machine, asked };
}

describe("the program of Cursor", () => {
  const local = { LOCALAPPDATA: "C:\\Users\\u\\AppData\\Local" };
  const installed = `${local.LOCALAPPDATA}\\cursor-agent\\agent.cmd`;
  test.each<[string, Host, string]>([
    ["is cursor-agent even if there is an agent too", host("linux", ["agent", "cursor-agent"]).machine, "cursor-agent"],
    ["is agent if there is no cursor-agent", host("darwin", ["agent"]).machine, "agent"],
    ["is never a command file outside Windows", host("linux", ["agent.cmd"]).machine, "cursor-agent"],
    ["is a command file on Windows", host("win32", ["agent", "cursor-agent.cmd"]).machine, "cursor-agent.cmd"],
    ["is found in the folder of the Windows installer", host("win32", [installed], local).machine, installed],
    ["is taken from the PATH before that folder", host("win32", [installed, "agent.cmd"], local).machine, "agent.cmd"],
    ["is not searched in that folder on other systems", host("linux", [installed], local).machine, "cursor-agent"],
    ["is cursor-agent if nothing is installed", host("win32", [], {}).machine, "cursor-agent"],
  ])("%s", (_, machine, expected) => {
    expect(typeof cursor.cliBinary === "function" && cursor.cliBinary(machine)).toBe(expected);
  });
});

describe("the availability check of Cursor", () => {
  const loggedOut = { stdout: "Not logged in\n" };
  const refusal = "Cursor CLI is not logged in: run `cursor-agent login`, or set CURSOR_API_KEY.";
  test.each<[string, ReturnType<typeof host>, string | null, number]>([
    ["fails without a login", host("linux", ["agent"], {}, loggedOut), refusal, 1],
    [
      "fails when stderr reports a missing login",
      host("linux", ["agent"], {}, { stderr: "Authentication required" }),
      refusal,
      1,
    ],
    ["passes with a login", host("linux", ["agent"], {}, { stdout: "✓ Logged in as u@example.invalid" }), null, 1],
    [
      "passes with an API key, without running status",
      host("linux", ["agent"], { CURSOR_API_KEY: "k" }, loggedOut),
      null,
      0,
    ],
    ["takes an empty API key as none", host("linux", ["agent"], { CURSOR_API_KEY: "" }, loggedOut), refusal, 1],
    [
      "passes when status fails for another reason",
      host("linux", ["agent"], {}, { exit_code: null, stderr: "fetch failed" }),
      null,
      1,
    ],
    ["passes when the CLI is missing, which is checked elsewhere", host("linux", [], {}, loggedOut), null, 0],
  ])("%s", async (_, { machine, asked }, expected, questions) => {
    expect(await cursor.checkAvailable?.(machine)).toBe(expected);
    expect(asked).toEqual(Array.from({ length: questions }, () => ["/bin/agent", "status"]));
  });
});

test("only UUIDs are session ids", () => {
  expect([ID, "--continue", " ", "", "null"].map((id) => isSessionId(cursor, id))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("the help after a denial names the settings file, the CLI's own rules and the next step", () => {
  const help = cursor.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
  for (const word of [".ralph/.ralphrc", "--force", "cli-config.json", "ALLOWED_TOOLS"]) expect(help).toContain(word);
});
