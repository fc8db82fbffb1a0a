import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { Command, CommandRequest, Driver, Host } from "../../driver.ts";
import type { RunSync } from "../../effects/ports.ts";
import { bashHooks, type HookRunner } from "./bash-hooks.ts";
import { jqFilter } from "./jq-filter.ts";
import { shellDecoder } from "./shell-decoder.ts";
import { type ShellFacts, shellFacts } from "./shell-facts.ts";

export type ShellDeps = {
  run: RunSync;
  host: Host;
  /** Puts the prompt where hooks and the agent can read it; returns the path from the project folder. */
  promptFile(prompt: string): string;
  /** The drivers whose output the agent may print. */
  known: readonly Driver[];
  /** SESSION_CONTINUITY, passed to hooks as CLAUDE_USE_CONTINUE. */
  continueSessions: boolean;
  /** The settings file that hooks may mention, relative to the project folder. */
  settingsFile: string;
};

const EXTRACT = "driver_extract_session_id_from_output";
const FALLBACK = "driver_fallback_session_id";
/** The longest argument on Linux and the longest command line on Windows. */
const MAX_ARGUMENT_BYTES = 131_071;
const MAX_WINDOWS_LINE = 32_000;

/**
 * Makes a Driver from a file of the bash contract: each hook call starts bash, which sources the file. Loading runs the file,
 * so it must be trusted. As with every driver, ralph asks for streamed output if there is any.
 * Its hooks throw `environment`, which is what a run ends as that the user can mend.
 * @param file absolute path
 * @throws RalphError `environment` without bash or jq, `config` if the file does not follow the contract
 */
export function loadShell(file: string, deps: ShellDeps): Driver {
  const call = bashHooks(file, deps.host, deps.run);
  const settings = {
    CLAUDE_USE_CONTINUE: String(deps.continueSessions),
    RALPHRC_FILE: deps.settingsFile,
  };
  const described = call("describe", [], { globals: settings });
  const facts = shellFacts(described.answer, file, described.stderr);
  const filter =
    facts.liveOutput && facts.streamFilter !== null ? jqFilter(facts.streamFilter, file, deps.host, deps.run) : null;
  const globals = { ...settings, DRIVER_DISPLAY_NAME: facts.displayName, CLAUDE_CODE_CMD: facts.cliBinary };
  const own = wrappedDriver(facts, deps.known);
  return {
    name: facts.name,
    displayName: facts.displayName,
    cliBinary: facts.cliBinary,
    validTools: facts.validTools,
    supportsToolAllowlist: facts.toolAllowlist,
    supportsSessions: facts.sessions,
    supportsLiveOutput: facts.liveOutput,
    hasFinalEvent: false,
    ...(facts.minVersion === null ? {} : { minVersion: facts.minVersion }),
    buildCommand: (request) => build(request, { file, facts, globals, call, deps }),
    decoder: (kit, ofCall) => shellDecoder(kit, { own, known: deps.known, filter, call: ofCall }),
    // Building the command shows whether the hook works, and that happens before preflight.
    preflight: () => null,
    ...(facts.hooks.has("driver_permission_denial_help")
      ? {
          permissionDenialHelp: ({ settingsFile }) =>
            (
              call("help", [], { globals: { ...globals, RALPHRC_FILE: settingsFile } }).answer.text("help") ?? ""
            ).trimEnd(),
        }
      : {}),
    ...(facts.hooks.has("driver_check_available")
      ? { checkAvailable: async () => unavailable(call, globals, facts, file) }
      : {}),
    ...(facts.hooks.has(EXTRACT) ? { extractSessionId: (output) => sessionId(call, EXTRACT, output, globals) } : {}),
    ...(facts.hooks.has(FALLBACK)
      ? { fallbackSessionId: async (output) => sessionId(call, FALLBACK, output, globals) }
      : {}),
  };
}

type BuildContext = {
  file: string;
  facts: ShellFacts;
  globals: Record<string, string>;
  call: HookRunner;
  deps: ShellDeps;
};

function build(request: CommandRequest, { file, facts, globals, call, deps }: BuildContext): Command {
  const { host } = deps;
  const live = request.format === "json" && facts.liveOutput ? "yes" : "no";
  const wanted = {
    ...globals,
    CLAUDE_CODE_CMD: request.binary.join(" "),
    CLAUDE_OUTPUT_FORMAT: request.format,
    CLAUDE_PERMISSION_MODE: request.permissionMode,
    CLAUDE_ALLOWED_TOOLS: request.allowedTools?.join(",") ?? "",
    // Not in the contract, but a driver has no other way to get these.
    CLAUDE_MODEL: request.model ?? "",
    CLAUDE_EFFORT: request.effort ?? "",
  };
  const words = [live, deps.promptFile(request.prompt), request.context ?? "", request.resume ?? ""];
  const { answer, stderr } = call("build", words, { globals: wanted });
  if (answer.text("status") !== "0") {
    throw new RalphError(
      "environment",
      `The driver ${file} could not build its command: ${stderr.trim() || "no reason given"}`,
    );
  }
  const argv = answer.list("live") ?? answer.list("argv") ?? [];
  const [program = "", ...args] = argv;
  if (program === "") throw new RalphError("environment", `driver_build_command of ${file} sets no CLAUDE_CMD_ARGS.`);
  // If the user set CLAUDE_CODE_CMD, it replaces the program that the driver names.
  const command = program === facts.cliBinary ? [...request.binary, ...args] : [...argv];
  requireShort(command, file, host.platform);
  return { argv: command, env: exportedBy(answer.all("export"), { ...definedOnly(host.env), ...wanted }) };
}

/** The variables that the driver exported for its agent. */
function exportedBy(pairs: readonly (readonly string[])[], inherited: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(([name = "", value = ""]) => (inherited[name] === value ? [] : [[name, value] as const])),
  );
}

/** A driver may pass the prompt as an argument; report the system's limit before it fails. */
function requireShort(argv: readonly string[], file: string, platform: Host["platform"]): void {
  const longest = Math.max(...argv.map((word) => new TextEncoder().encode(word).length));
  const lineLength = argv.reduce((length, word) => length + word.length + 3, 0);
  const tooLong = platform === "win32" ? lineLength > MAX_WINDOWS_LINE : longest > MAX_ARGUMENT_BYTES;
  if (!tooLong) return;
  throw new RalphError(
    "environment",
    `The driver ${file} passes an argument of ${longest} bytes, more than the system allows.`,
    { hint: "Let driver_build_command pass the path of the prompt (its first argument), or shorten the prompt." },
  );
}

/** The built-in driver of the CLI that a bash driver starts, recognised by name or program. */
function wrappedDriver({ name, cliBinary }: ShellFacts, known: readonly Driver[]): Driver | null {
  const program = cliBinary.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd)$/i, "");
  const starts = (driver: Driver) => driver.cliBinary === program || driver.name === program.replace(/-agent$/, "");
  return known.find((driver) => driver.name === name) ?? known.find(starts) ?? null;
}

function unavailable(
  call: HookRunner,
  globals: Record<string, string>,
  facts: ShellFacts,
  file: string,
): string | null {
  const { answer, stderr } = call("available", [], { globals });
  if (answer.flag("available") !== false) return null;
  const why = stderr.trim();
  return `${facts.displayName} is not available: ${why === "" ? `driver_check_available of ${file} says no` : why}.`;
}

/** The first line that the hook printed; jq prints the word null for nothing. */
function sessionId(call: HookRunner, hook: string, output: string, globals: Record<string, string>): string | null {
  const { answer } = call("session", [hook], { globals, input: output });
  const [id = ""] = (answer.text("session_id") ?? "").trim().split(/\r?\n/);
  return id === "" || id === "null" ? null : id;
}
