import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "../../../src/driver.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";
import { loadShell } from "../../../src/driver-host/shell/load-shell.ts";
import { createHost } from "../../../src/effects/host.ts";
import { runSync } from "../../../src/effects/process/run-sync.ts";
import { promptFileIn } from "../../../src/effects/project/prompt-file.ts";
import { requestOf } from "../../drivers/request.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("shell");
const canRun = process.platform !== "win32" && Bun.which("bash") !== null && Bun.which("jq") !== null;

const MINIMAL = `
driver_name() { echo mine; }
driver_display_name() { echo "Mine"; }
driver_cli_binary() { echo mine-cli; }
driver_valid_tools() { VALID_TOOL_PATTERNS=(); }
driver_build_command() { CLAUDE_CMD_ARGS=("mine-cli" "$@"); }
`;

/** A driver in the form of the contract's example ("Minimal driver skeleton"). */
const EXAMPLE = `#!/usr/bin/env bash
driver_name() { echo "my-platform"; }
driver_display_name() { echo "My Platform"; }
driver_cli_binary() { echo "my-platform"; }
driver_valid_tools() {
  VALID_TOOL_PATTERNS=(
    "Read"
    "Write"
    "Edit"
    "Bash"
  )
}
driver_build_command() {
  local prompt_file="$1" loop_context="$2" session_id="$3"
  if [[ ! -f "$prompt_file" ]]; then return 1; fi
  CLAUDE_CMD_ARGS=("my-platform" "--prompt" "$prompt_file" "--output-format" "\${CLAUDE_OUTPUT_FORMAT:-json}")
  if [[ "$CLAUDE_USE_CONTINUE" == "true" && -n "$session_id" ]]; then CLAUDE_CMD_ARGS+=("--session" "$session_id"); fi
  if [[ -n "$loop_context" ]]; then CLAUDE_CMD_ARGS+=("--context" "$loop_context"); fi
  return 0
}
driver_supports_tool_allowlist() { return 1; }
driver_permission_denial_help() { echo "Permission denied for $DRIVER_DISPLAY_NAME."; echo "See $RALPHRC_FILE."; }
driver_min_version() { echo "1.0.0"; }
driver_check_available() { command -v my-platform &>/dev/null; }
`;

let count = 0;
function load(text: string, continueSessions = true): Driver {
  const file = join(dir, `driver ${++count}.sh`);
  writeFileSync(file, text);
  return loadShell(file, {
    run: runSync,
    host: createHost(dir, process.env),
    promptFile: promptFileIn(dir),
    known: BUILT_IN_DRIVERS,
    continueSessions,
    settingsFile: ".ralph/.ralphrc",
  });
}

const request = requestOf({ binary: ["mine-cli"], prompt: "Go.", permissionMode: "plan", cwd: dir });

describe.skipIf(!canRun)("a bash driver", () => {
  test("with only the five required hooks has the contract's defaults", () => {
    const driver = load(MINIMAL);
    expect(driver).toMatchObject({
      name: "mine",
      displayName: "Mine",
      cliBinary: "mine-cli",
      validTools: [],
      supportsToolAllowlist: false,
      supportsSessions: true,
      supportsLiveOutput: true,
      hasFinalEvent: false,
    });
    for (const member of [
      "minVersion",
      "checkAvailable",
      "permissionDenialHelp",
      "extractSessionId",
      "fallbackSessionId",
    ] as const)
      expect(driver[member]).toBeUndefined();
    expect(driver.buildCommand(request).argv).toEqual(["mine-cli", ".ralph/.prompt_sent.md", "", ""]);
  });

  test("of the contract's example, with five required hooks and four more, builds the example's command", async () => {
    const driver = load(EXAMPLE);
    expect(driver).toMatchObject({ name: "my-platform", displayName: "My Platform", cliBinary: "my-platform" });
    expect(driver).toMatchObject({ validTools: ["Read", "Write", "Edit", "Bash"], minVersion: "1.0.0" });
    expect(driver.supportsToolAllowlist).toBe(false);
    const start = { ...request, binary: ["my-platform"] };
    const prompt = ["my-platform", "--prompt", ".ralph/.prompt_sent.md", "--output-format", "json"];
    expect(driver.buildCommand(start).argv).toEqual(prompt);
    const next = driver.buildCommand({ ...start, context: "Loop 3.", resume: "s-1" });
    expect(next.argv).toEqual([...prompt, "--session", "s-1", "--context", "Loop 3."]);
    const help = driver.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" });
    expect(help).toBe("Permission denied for My Platform.\nSee .ralph/.ralphrc.");
    expect(await driver.checkAvailable?.(createHost(dir, {}))).toContain("My Platform is not available");
  });

  test.each<[string, string, Partial<Driver>]>([
    ["reads exit status 0 as yes", "driver_supports_tool_allowlist() { return 0; }", { supportsToolAllowlist: true }],
    [
      "reads another exit status as no",
      "driver_supports_sessions() { return 1; }\ndriver_supports_live_output() { false; }",
      { supportsSessions: false, supportsLiveOutput: false },
    ],
    [
      "reads any other exit status as no, even 77",
      "driver_supports_sessions() { return 77; }",
      { supportsSessions: false },
    ],
    [
      "reads its tools as a list",
      'driver_valid_tools() { VALID_TOOL_PATTERNS=("Bash(git *)" "" "a b"); }',
      { validTools: ["Bash(git *)", "a b"] },
    ],
    ["reads its printed version", 'driver_min_version() { echo "1.2.3"; }', { minVersion: "1.2.3" }],
    [
      "ignores chatter on stdout",
      'echo hello; driver_valid_tools() { echo hello; VALID_TOOL_PATTERNS=("X"); }',
      { validTools: ["X"] },
    ],
    [
      "works with strict shell modes in its file",
      'set -euo pipefail\ndriver_valid_tools() { VALID_TOOL_PATTERNS=("X"); [[ -n "${SET_NOWHERE}" ]]; }',
      { validTools: ["X"] },
    ],
  ])("%s", (_, more, expected) => expect(load(`${MINIMAL}\n${more}`)).toMatchObject(expected));

  test("gets its arguments unchanged: empty, with line ends, quotes and blanks", () => {
    const driver = load(`${MINIMAL}
driver_build_command() { CLAUDE_CMD_ARGS=("mine-cli" "" "a
b" "  " '"' "\\$HOME" "$2" "$3" "żółw"); }`);
    const { argv } = driver.buildCommand({ ...request, context: "two\n lines ", resume: "s-1" });
    expect(argv).toEqual(["mine-cli", "", "a\nb", "  ", '"', "$HOME", "two\n lines ", "s-1", "żółw"]);
  });

  test("sees the contract's variables and ralph's own", () => {
    const names = [
      "CLAUDE_OUTPUT_FORMAT",
      "CLAUDE_PERMISSION_MODE",
      "CLAUDE_ALLOWED_TOOLS",
      "CLAUDE_USE_CONTINUE",
      "RALPHRC_FILE",
      "DRIVER_DISPLAY_NAME",
      "CLAUDE_CODE_CMD",
      "CLAUDE_MODEL",
    ];
    const driver = load(`${MINIMAL}
driver_build_command() { CLAUDE_CMD_ARGS=(x ${names.map((name) => `"$${name}"`).join(" ")} "\${VALID_TOOL_PATTERNS[0]}"); }
driver_valid_tools() { VALID_TOOL_PATTERNS=("T"); }`);
    const { argv } = driver.buildCommand({ ...request, allowedTools: ["Read", "Bash(a,b)"], model: "m" });
    expect(argv).toEqual([
      "x",
      "json",
      "plan",
      "Read,Bash(a,b)",
      "true",
      ".ralph/.ralphrc",
      "Mine",
      "mine-cli",
      "m",
      "T",
    ]);
  });

  test("reads in CLAUDE_USE_CONTINUE whether sessions are to go on", () => {
    const text = `${MINIMAL}\ndriver_build_command() { CLAUDE_CMD_ARGS=(x "$CLAUDE_USE_CONTINUE"); }`;
    const given = [true, false].map((goOn) => load(text, goOn).buildCommand(request).argv[1]);
    expect(given).toEqual(["true", "false"]);
  });

  test("passes only its exported variables to its agent", () => {
    const driver = load(`export A_NEW='one\ntwo'\nNOT_EXPORTED=1\nexport CLAUDE_OUTPUT_FORMAT\n${MINIMAL}`);
    expect(driver.buildCommand(request).env).toEqual({ A_NEW: "one\ntwo" });
  });

  test.each<[string, string, string[]]>([
    [
      "extends the command by the live hook",
      'driver_prepare_live_command() { LIVE_CMD_ARGS=("${CLAUDE_CMD_ARGS[@]}" "--live"); }',
      ["mine-cli", "--live"],
    ],
    ["is the command itself without a live hook", "", ["mine-cli"]],
    [
      "is the command itself when the live hook fails",
      "driver_prepare_live_command() { LIVE_CMD_ARGS=(no); return 1; }",
      ["mine-cli"],
    ],
    [
      "is the command itself without live output",
      "driver_supports_live_output() { return 1; }\ndriver_prepare_live_command() { LIVE_CMD_ARGS=(no); }",
      ["mine-cli"],
    ],
  ])("builds a live form that %s", (_, more, expected) => {
    const driver = load(`${MINIMAL}\ndriver_build_command() { CLAUDE_CMD_ARGS=("mine-cli"); }\n${more}`);
    expect(driver.buildCommand(request).argv).toEqual(expected);
  });

  test("starts the program of CLAUDE_CODE_CMD instead of its own", () => {
    expect(
      load(MINIMAL)
        .buildCommand({ ...request, binary: ["/opt/x", "--y"] })
        .argv.slice(0, 2),
    ).toEqual(["/opt/x", "--y"]);
  });

  test("gives its help and says why it is unavailable", async () => {
    const driver = load(`${MINIMAL}
driver_permission_denial_help() { echo "$DRIVER_DISPLAY_NAME: see $RALPHRC_FILE"; echo "second line"; }
driver_check_available() { echo "log in first" >&2; return 1; }`);
    expect(driver.permissionDenialHelp?.({ settingsFile: "my.rc" })).toBe("Mine: see my.rc\nsecond line");
    expect(await driver.checkAvailable?.(createHost(dir, {}))).toBe("Mine is not available: log in first.");
    expect(
      await load(`${MINIMAL}\ndriver_check_available() { return 0; }`).checkAvailable?.(createHost(dir, {})),
    ).toBeNull();
  });

  test.each<[string, string, string | null]>([
    ["the first line that it prints", 'cat "$1"; echo more', "s-42"],
    ["no id when it prints nothing", ":", null],
    ["no id for the word null", "echo null", null],
    ["no id when it fails", "return 1", null],
  ])("gets %s from its session id hook", async (_, body, expected) => {
    const driver = load(
      `${MINIMAL}\ndriver_extract_session_id_from_output() { ${body}; }\ndriver_fallback_session_id() { ${body}; }`,
    );
    expect(driver.extractSessionId?.("s-42\n")).toBe(expected);
    expect(await driver.fallbackSessionId?.("s-42\n", createHost(dir, {}), ["x"])).toBe(expected);
  });

  test.each<[string, string, string]>([
    [
      "missing hooks",
      "driver_name() { echo x; }",
      "- driver_display_name is missing\n  - driver_cli_binary is missing\n  - driver_valid_tools is missing\n  - driver_build_command is missing",
    ],
    [
      "an invalid name",
      `${MINIMAL}\ndriver_name() { echo "My Agent"; }`,
      'driver_name must print a short lower-case name, not "My Agent"',
    ],
    ["no display name", `${MINIMAL}\ndriver_display_name() { :; }`, "driver_display_name prints nothing"],
    ["a version in words", `${MINIMAL}\ndriver_min_version() { echo new; }`, 'version as in 1.2.3, not "new"'],
    ["no program", `${MINIMAL}\ndriver_cli_binary() { :; }`, "driver_cli_binary prints nothing"],
    ["a file that exits the shell", `${MINIMAL}\necho bye >&2; exit 3`, "failed (describe): bye"],
    ["a file that does not parse", "driver_name() {", "syntax error"],
    ["a filter that does not compile", `${MINIMAL}\ndriver_stream_filter() { echo ".a | ("; }`, "is refused by jq"],
  ])("is refused with the reason: %s", (_, text, words) => {
    expect(() => load(text)).toThrow(words);
    // As with one in TypeScript, nothing ran: it is what was given that is at fault.
    expect(() => load(text)).toThrow(expect.objectContaining({ code: "config" }));
  });

  test("is refused with an argument longer than the system allows", () => {
    const driver = load(`${MINIMAL}\ndriver_build_command() { CLAUDE_CMD_ARGS=(mine-cli "$(cat "$1")"); }`);
    expect(() => driver.buildCommand({ ...request, prompt: "x".repeat(200_000) })).toThrow("200000 bytes");
  });
});
