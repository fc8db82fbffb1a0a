import console from "node:console";
import { existsSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { runCommand as runByCitty, runMain } from "citty";
import { RalphError } from "../core/errors.ts";
import { isDiskFull } from "../core/system-error.ts";
import { visibleControls } from "../core/text/plain-text.ts";
import { selfCommand } from "../effects/process/self.ts";
import { canonicalProject, hasMode } from "../effects/project/project-paths.ts";
import { isTerminal } from "../effects/terminal/is-terminal.ts";
import { createOutput, type Output } from "../effects/terminal/output.ts";
import { assumeSize } from "../effects/terminal/printer.ts";
import { homeFolder } from "../effects/user/home.ts";
import { projectsNamed } from "../effects/user/project-list.ts";
import { VERSION } from "../version.ts";
import type { Args, GlobalValues } from "./args/define.ts";
import { namedProject } from "./args/named-project.ts";
import { type ParsedArgs, parseArgs } from "./args/parse-args.ts";
import type { CommandContext } from "./context.ts";
import { everyCommand, findCommand } from "./find-command.ts";
import type { Log } from "./log.ts";
import { openLog } from "./open-log.ts";
import { createProgram, usageOf } from "./program.ts";
import { reportError } from "./report-error.ts";
import { wantsColor } from "./wants-color.ts";

/** The result of a command line: an exit code, or a request for help or the version. */
type Outcome = { code: number; request: "help" | "version" | null };

/**
 * Finds the command in the command line and runs it through citty.
 * @param entry URL of main.ts
 * @returns the exit code
 */
export async function runCommand(argv: readonly string[], entry: string): Promise<number> {
  const isMode = (word: string) => hasMode(resolve(namedProject(argv)), word);
  const { commands, path, named, rest } = await findCommand(argv, process.argv0, isMode);
  const outputs = [createOutput(() => process.stdout, resultFd(path[0])), createOutput(() => process.stderr)] as const;
  const [stdout, stderr] = outputs;
  const log = openLog(argv, { env: process.env, stdout: stdout.write, stderr: stderr.write });
  const outcome: Outcome = { code: 0, request: null };
  let folder: string | null = null;
  const program = createProgram(commands, async (command, words) => {
    outcome.code = await command.carryOut((definition) => {
      const parsed = parseArgs(definition, words);
      outcome.request = requestIn(parsed.args);
      if (outcome.request !== null) return null;
      const around = { stdout, stderr, log, noCommand: named.length === 0, self: selfCommand(entry) };
      const context = openContext(parsed, around);
      folder = context.projectDir;
      return context;
    });
  });
  try {
    await runByCitty(program, { rawArgs: [...path, ...rest] });
  } catch (error) {
    if (folder === null) throw error;
    const { namingProjectAbove } = await import("./project-above-error.ts");
    throw namingProjectAbove(error, folder, homeFolder(process.env));
  } finally {
    await Promise.all(outputs.map((output) => output.drained()));
  }
  if (outcome.request === "version") console.log(VERSION);
  if (outcome.request === "help")
    await runMain(program, {
      rawArgs: [...named, "--help"],
      showUsage: usageOf(commands, !argv.includes("--help")),
    });
  // For every command but `run`, the printed text is the result.
  const lost = stdout.failure();
  if (isDiskFull(lost) && outcome.code === 0 && path[0] !== "run") return reportLostOutput(lost, argv);
  return outcome.code;
}

/**
 * Reports what ended the program. It writes to file descriptors: the process ends before a stream would have written.
 * @returns the exit code
 */
export function reportFailure(error: unknown, argv: readonly string[]): number {
  const outputs = { stdout: (text: string) => console.log(text.trimEnd()), stderr: writeAtOnce };
  return reportError(error, openLog(argv, { env: process.env, ...outputs }));
}

/** On stderr in any case: stdout, where `--json` has its errors, is what has no room. */
function reportLostOutput(cause: Error | null, argv: readonly string[]): number {
  const error = new RalphError("environment", "The disk is full: ralph's output could not be written.", { cause });
  return reportError(error, openLog(argv, { env: process.env, stdout: writeAtOnce, stderr: writeAtOnce }));
}

function writeAtOnce(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // stderr is closed
  }
}

function requestIn({ version, help }: GlobalValues): Outcome["request"] {
  if (version) return "version";
  return help ? "help" : null;
}

/** They print as things happen: they must not wait for their reader, and see when it leaves. */
const LASTING: ReadonlySet<string> = new Set([
  "run",
  "swarm",
  "land",
  "logs",
  "replay",
  "monitor",
  "demo",
  "ui",
  "import",
]);

/** Where a command that prints a result may write it at once; null: only through the stream. */
function resultFd(command = "run"): 1 | null {
  return LASTING.has(command) || process.platform === "win32" || isTerminal(1) ? null : 1;
}

type Surroundings = { stdout: Output; stderr: Output; log: Log; noCommand: boolean; self: string[] };

function openContext<A extends Args>(
  parsed: ParsedArgs<A>,
  { stdout, stderr, log, noCommand, self }: Surroundings,
): CommandContext<A> {
  const isTty = {
    stdin: isTerminal(0),
    stdout: isTerminal(1),
    stderr: isTerminal(2),
  };
  // A run goes on when the reader of its output leaves (`ralph run | head`). stderr gets no handler before its first
  // write: touching a stream costs several ms.
  if (isTty.stdout) {
    process.stdout.on("error", () => {});
    assumeSize(process.stdout);
  }
  const globals: GlobalValues = parsed.args;
  const { env } = process;
  return {
    args: parsed.args,
    settings: parsed.settings,
    given: parsed.given,
    projectDir: projectAt(globals["project-dir"] ?? ".", env),
    env,
    stdout: (text) => stdout.write(visibleControls(text)),
    raw: stdout.write,
    stderr: stderr.write,
    log,
    drained: stdout.drained,
    isTty,
    color: wantsColor(globals.color, env, isTty.stdout),
    get columns() {
      return isTty.stdout ? (process.stdout.columns ?? 80) : 80;
    },
    get rowColumns() {
      return isTty.stdout ? (process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
    },
    noCommand,
    self,
    commands: everyCommand,
  };
}

/** A name that `ralph ps` shows: of a folder, or of a worktree after its project's. */
const NAME = /^[^/\\]+(?:\/[^/\\]+)?$/;

/**
 * The project of `-C`: a folder, or the name of one that `ralph ps` lists. A folder that is there wins.
 * @throws RalphError `environment` if there is none, `usage` for a name of several
 */
function projectAt(named: string, env: NodeJS.ProcessEnv): string {
  const path = resolve(named);
  if (!NAME.test(named) || existsSync(path)) return canonicalProject(path);
  const [first, ...more] = projectsNamed(named, { platform: process.platform, env, home: homeFolder(env) });
  if (more.length > 0)
    throw new RalphError(
      "usage",
      `Several projects are called ${JSON.stringify(named)}: ${[first, ...more].join(", ")}`,
      {
        hint: "Name the folder itself.",
      },
    );
  return first ?? canonicalProject(path);
}
