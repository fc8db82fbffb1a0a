/** Every kind of driver: built in, loaded from a file, and of the bash contract. */
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import type { Command, Driver } from "../../src/driver.ts";
import { loadTs } from "../../src/driver-host/load-ts.ts";
import { BUILT_IN_DRIVERS } from "../../src/driver-host/registry.ts";
import { loadShell } from "../../src/driver-host/shell/load-shell.ts";
import { createHost } from "../../src/effects/host.ts";
import { runSync } from "../../src/effects/process/run-sync.ts";
import { promptFileIn } from "../../src/effects/project/prompt-file.ts";
import { importModule } from "../../src/effects/user/import-module.ts";

export type Subject = {
  name: string;
  driver: Driver;
  /** Folder of its agent's recordings, below tests/fixtures/agent-output; null if there are none. */
  recordings: string | null;
  /** What the agent receives as its prompt. */
  promptOf(command: Command): string;
};

const RECORDINGS: Readonly<Record<string, string>> = {
  "claude-code": "claude",
  codex: "codex",
  opencode: "opencode",
  copilot: "copilot",
  cursor: "cursor",
};

/** The usual names of their programs, if different. */
const PROGRAMS: Readonly<Record<string, string>> = { "claude-code": "claude", cursor: "cursor-agent" };

export const hasBash = process.platform !== "win32" && Bun.which("bash") !== null && Bun.which("jq") !== null;

/** A folder for a test file, which removes it. */
export function folder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "ralph-contract-")));
}

/** @param dir a folder that the caller removes */
export async function subjects(dir: string): Promise<Subject[]> {
  const builtIn = BUILT_IN_DRIVERS.map((driver) => subject("built in", driver));
  const loaded = await Promise.all(
    BUILT_IN_DRIVERS.map(async (driver) => {
      // The file imports only types, so a copy of it anywhere is a driver.
      const file = join(dir, `${driver.name}.ts`);
      writeFileSync(file, await Bun.file(join(root, "drivers", `${driver.name}.ts`)).text());
      return subject("from a file", await loadTs(file, importModule));
    }),
  );
  const bash = hasBash
    ? [everyHook(dir), ...BUILT_IN_DRIVERS.filter(({ name }) => name !== "demo").map((one) => wrapper(one, dir))]
    : [];
  return [...builtIn, ...loaded, ...bash];
}

function subject(kind: string, driver: Driver): Subject {
  return {
    name: `${driver.name}, ${kind}`,
    driver,
    recordings: RECORDINGS[driver.name] ?? null,
    promptOf: ({ stdin }) => stdin ?? "",
  };
}

/** The bash driver of the tests with every hook. */
function everyHook(dir: string): Subject {
  const driver = bashDriver(join(root, "tests/agents/every-hook.sh"), dir);
  return { name: "every-hook, in bash", driver, recordings: null, promptOf: promptFileOf(dir) };
}

/** A bash driver without output hooks, around a CLI that ralph knows. */
function wrapper(driver: Driver, dir: string): Subject {
  const program = PROGRAMS[driver.name] ?? driver.name;
  const file = join(dir, `${driver.name}-wrapper.sh`);
  const text = `driver_name() { echo "${driver.name}-wrapper"; }
driver_display_name() { echo "${driver.displayName}"; }
driver_cli_binary() { echo "${program}"; }
driver_valid_tools() { VALID_TOOL_PATTERNS=("Read"); }
driver_build_command() {
  CLAUDE_CMD_ARGS=("$CLAUDE_CODE_CMD" "--prompt-file" "$1" "--model" "$CLAUDE_MODEL")
  if [[ "$CLAUDE_USE_CONTINUE" == true && -n "$3" ]]; then CLAUDE_CMD_ARGS+=("--session" "$3"); fi
}
`;
  writeFileSync(file, text);
  const recordings = RECORDINGS[driver.name] ?? null;
  return {
    name: `${driver.name}, wrapped in bash`,
    driver: bashDriver(file, dir),
    recordings,
    promptOf: promptFileOf(dir),
  };
}

export function bashDriver(file: string, cwd: string): Driver {
  return loadShell(file, {
    run: runSync,
    host: createHost(cwd, process.env),
    promptFile: promptFileIn(cwd),
    known: BUILT_IN_DRIVERS,
    continueSessions: true,
    settingsFile: ".ralph/.ralphrc",
  });
}

function promptFileOf(dir: string): Subject["promptOf"] {
  return ({ argv }) => {
    const at = argv.indexOf("--prompt-file");
    return at === -1 ? "" : readFileSync(join(dir, argv[at + 1] ?? ""), "utf8");
  };
}
