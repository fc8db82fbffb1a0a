import { describe, expect, test } from "bun:test";
import opencode from "../../drivers/opencode.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Host } from "../../src/driver.ts";
import { requestOf } from "./request.ts";

const OLD = "ses_dff80b272ffeXM10rsBHZi9Ezh";

const base = requestOf({ binary: ["opencode"] });
const words = (change: Partial<CommandRequest>) => opencode.buildCommand({ ...base, ...change }).argv.join(" ");

describe("the command line of OpenCode", () => {
  const logs = "--print-logs --log-level ERROR";
  const head = `opencode run --format json ${logs} --agent build`;
  test.each<[string, Partial<CommandRequest>, string]>([
    ["starts a new session and approves what the configuration asks for", {}, `${head} --auto`],
    ["is the same with partial text", { partial: true }, `${head} --auto`],
    ["resumes a session", { resume: OLD }, `${head} --auto --session ${OLD}`],
    ["prints text", { format: "text" }, `opencode run --format default ${logs} --agent build --auto`],
    ["names model and effort", { model: "a/b", effort: "high" }, `${head} --auto --model a/b --variant high`],
    ["approves when no mode is set", { permissionMode: "" }, `${head} --auto`],
    ["leaves other modes to the user's configuration", { permissionMode: "acceptEdits" }, head],
    ["lets a review only read", { readOnly: true }, `opencode run --format json ${logs} --agent plan`],
    ["keeps the words of a wrapped binary", { binary: ["npx", "opencode"] }, `npx ${head} --auto`],
  ])("%s", (_, change, expected) => expect(words(change)).toBe(expected));

  test("leaves the prompt to stdin, after the context", () => {
    expect(opencode.buildCommand(base)).toEqual({ argv: words({}).split(" "), stdin: base.prompt });
    expect(opencode.buildCommand({ ...base, context: "Iteration 3." }).stdin).toBe(`Iteration 3.\n\n${base.prompt}`);
  });

  test("allows a review only tools that read", () => {
    const { env = {} } = opencode.buildCommand({ ...base, readOnly: true });
    const { "*": rest, ...allowed } = JSON.parse(env.OPENCODE_PERMISSION ?? "{}");
    expect([rest, Object.keys(allowed)]).toEqual(["deny", ["read", "glob", "grep", "list"]]);
  });
});

test("only ids with OpenCode's prefix are sessions", () => {
  const ids = [OLD, "ses_real1", "", "ses_", "--last", "0f8e7d6c-1234-4abc-9def-001122334455", `${OLD} `];
  expect(ids.map((id) => isSessionId(opencode, id))).toEqual([true, true, false, false, false, false, false]);
});

describe("the last resort for OpenCode's session", () => {
  const list = async (stdout: string, exit_code = 0) => {
    const asked: (readonly string[])[] = [];
    const run = async (argv: readonly string[]) => {
      asked.push(argv);
      return { exit_code, stdout, stderr: "" };
    };
    const host = { run } as unknown as Host;
    return [await opencode.fallbackSessionId?.("", host, ["npx", "opencode"]), asked];
  };

  test("asks the program of the call for the list of its sessions", async () => {
    expect(await list(`[{"id":"${OLD}"}]\r\n`)).toEqual([
      OLD,
      [["npx", "opencode", "session", "list", "--format", "json"]],
    ]);
  });

  test.each<[string, string, string | null]>([
    ["a list in an object", `{"sessions":[{"id":"${OLD}"}]}`, OLD],
    ["one with an id among others", `[{"id":null},{"id":""},{"id":"${OLD}"}]`, OLD],
    ["two", `[{"id":"${OLD}"},{"id":"ses_other"}]`, null],
    ["none", "", null],
    ["an object without a list", '{"id":"x"}', null],
    ["a list that is none", '{"sessions":7}', null],
    ["words", '["s1"]', null],
    ["no JSON", "not json", null],
    ["null", "null", null],
  ])("of %s", async (_, stdout, id) => expect((await list(stdout))[0]).toBe(id));

  test("is none where the list fails", async () => expect((await list(`[{"id":"${OLD}"}]`, 1))[0]).toBeNull());
});

test("the help after a denial names the settings file and what the agent reads", () => {
  const help = opencode.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
  for (const word of [".ralph/.ralphrc", "bypassPermissions", "opencode.json"]) {
    expect(help).toContain(word);
  }
});
