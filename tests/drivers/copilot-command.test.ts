import { describe, expect, test } from "bun:test";
import copilot from "../../drivers/copilot.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Host } from "../../src/driver.ts";
import { NEW_ID, requestOf } from "./request.ts";

const OLD = "71d47842-88d2-453a-8d37-8386f190531f";

const base = requestOf({ binary: ["copilot"] });
const words = (change: Partial<CommandRequest>) => copilot.buildCommand({ ...base, ...change }).argv.join(" ");

describe("the command line of Copilot", () => {
  const head = "copilot --output-format json --no-ask-user --no-auto-update";
  const all = "--allow-all-tools";
  const id = `--session-id ${NEW_ID}`;
  const noWrites = `${all} --deny-tool=write --deny-tool=shell`;
  test.each<[string, Partial<CommandRequest>, string]>([
    ["streams a new session with a chosen id", {}, `${head} ${all} ${id}`],
    ["resumes a session", { resume: OLD }, `${head} ${all} --resume=${OLD}`],
    ["needs no flag for partial text", { partial: true }, `${head} ${all} ${id}`],
    [
      "prints the bare answer as text",
      { format: "text" },
      `copilot --silent --no-ask-user --no-auto-update ${all} ${id}`,
    ],
    [
      "names model and effort",
      { model: "gpt-5.4", effort: "low" },
      `${head} ${all} --model gpt-5.4 --reasoning-effort low ${id}`,
    ],
    ["allows all tools when no mode is set", { permissionMode: "" }, `${head} ${all} ${id}`],
    ["denies the shell in acceptEdits", { permissionMode: "acceptEdits" }, `${head} ${all} --deny-tool=shell ${id}`],
    ["denies writing in default", { permissionMode: "default" }, `${head} ${noWrites} ${id}`],
    ["denies writing in dontAsk", { permissionMode: "dontAsk" }, `${head} ${noWrites} ${id}`],
    ["denies writing in plan", { permissionMode: "plan" }, `${head} ${noWrites} ${id}`],
    ["has no flag for a list of tools", { allowedTools: ["Read"] }, `${head} ${all} ${id}`],
    ["keeps the words of a wrapped binary", { binary: ["npx", "copilot"] }, `npx ${head} ${all} ${id}`],
    [
      "offers a review only tools that read",
      { readOnly: true },
      `${head} --available-tools=view,glob,grep --deny-tool=write --deny-tool=shell --disable-builtin-mcps ${id}`,
    ],
  ])("%s", (_, change, expected) => expect(words(change)).toBe(expected));

  test("leaves the prompt to stdin, after the context", () => {
    expect(copilot.buildCommand(base)).toMatchObject({ stdin: base.prompt });
    expect(copilot.buildCommand({ ...base, context: "Loop 3." }).stdin).toBe(`Loop 3.\n\n${base.prompt}`);
    expect(words({ context: "Loop 3." })).not.toMatch(/Loop 3|next task/);
  });
});

describe("Copilot before 1.0", () => {
  const old = copilot.forVersion?.("0.0.334");
  const oldArgv = (change: Partial<CommandRequest> = {}) => old?.buildCommand({ ...base, prompt: "Go.", ...change });

  test("has neither sessions nor live output, and prints text", () => {
    expect(old).toMatchObject({ name: "copilot", supportsSessions: false, supportsLiveOutput: false });
    expect([old?.choosesSessionId, old?.decoder]).toEqual([false, undefined]);
  });

  test.each<[string, Partial<CommandRequest>, string[]]>([
    ["takes the prompt as an argument", {}, ["--allow-all-tools", "--prompt=Go."]],
    ["never resumes", { resume: OLD, effort: "low" }, ["--allow-all-tools", "--prompt=Go."]],
    [
      "names the model, and the context before the prompt",
      { model: "gpt-5.4", context: "Loop 3." },
      ["--allow-all-tools", "--model", "gpt-5.4", "--prompt=Loop 3.\n\nGo."],
    ],
    [
      "writes nothing in a review",
      { readOnly: true },
      ["--allow-all-tools", "--deny-tool=write", "--deny-tool=shell", "--prompt=Go."],
    ],
    [
      "keeps the shell away in acceptEdits",
      { permissionMode: "acceptEdits" },
      ["--allow-all-tools", "--deny-tool=shell", "--prompt=Go."],
    ],
  ])("%s", (_, change, argv) => expect(oldArgv(change)).toEqual({ argv: ["copilot", ...argv] }));

  test.each(["1.0.0", "1.0.102", "10.0.0"])("is no longer version %s", (version) =>
    expect(copilot.forVersion?.(version)).toBe(copilot),
  );
});

describe("the program of Copilot", () => {
  const host = (platform: NodeJS.Platform, ...there: string[]): Host => ({
    platform,
    env: {},
    cwd: "/project",
    home: "/home/user",
    isRoot: false,
    which: (program) => there.find((path) => path === program || path.endsWith(`/bin/${program}`)) ?? null,
    run: async () => ({ exit_code: null, stdout: "", stderr: "" }),
  });
  const binary = (machine: Host) =>
    typeof copilot.cliBinary === "function" ? copilot.cliBinary(machine) : copilot.cliBinary;
  const nested = "node_modules/@github/copilot/node_modules/@github";
  test.each<[string, Host, string]>([
    ["is native where npm put it on the PATH", host("linux", "/p/bin/copilot-linux-x64"), "copilot-linux-x64"],
    [
      "is native beside npm's global wrapper",
      host("linux", "/usr/bin/copilot", `/usr/bin/../lib/${nested}/copilot-linux-arm64/copilot`),
      `/usr/bin/../lib/${nested}/copilot-linux-arm64/copilot`,
    ],
    [
      "is native beside the wrapper of a project",
      host("darwin", "/p/node_modules/bin/copilot", "/p/node_modules/bin/../@github/copilot-darwin-arm64/copilot"),
      "/p/node_modules/bin/../@github/copilot-darwin-arm64/copilot",
    ],
    [
      "is native beside npm's global wrapper on Windows",
      host("win32", "C:\\npm/bin/copilot", `C:\\npm/bin/${nested}/copilot-win32-x64/copilot.exe`),
      `C:\\npm/bin/${nested}/copilot-win32-x64/copilot.exe`,
    ],
    ["is copilot if there is no native program", host("linux", "/usr/bin/copilot"), "copilot"],
    ["is copilot if nothing is installed", host("linux"), "copilot"],
    ["is copilot on a platform without packages", host("freebsd", "/usr/bin/copilot"), "copilot"],
  ])("%s", (_, machine, expected) => expect(binary(machine)).toBe(expected));
});

test("only UUIDs are session ids: names and prefixes could be another conversation", () => {
  const ids = [OLD, OLD.toUpperCase(), "my feature", "0cb916d", "--last", "", "null", `${OLD} `];
  expect(ids.map((id) => isSessionId(copilot, id))).toEqual([true, true, false, false, false, false, false, false]);
});

test("the help after a denial names the settings file and what the agent reads", () => {
  const help = copilot.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
  for (const word of [".ralph/.ralphrc", "bypassPermissions", "ALLOWED_TOOLS", "--allow-all-paths"])
    expect(help).toContain(word);
});
