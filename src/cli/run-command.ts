import console from "node:console";
import { basename, resolve } from "node:path";
import process from "node:process";
import { isatty } from "node:tty";
import { RalphError } from "../core/errors.ts";
import { isDiskFull } from "../core/system-error.ts";
import { selfCommand } from "../effects/process/self.ts";
import { canonicalProject } from "../effects/project/project-paths.ts";
import { createOutput, type Output } from "../effects/terminal/output.ts";
import { assumeSize } from "../effects/terminal/printer.ts";
import { VERSION } from "../version.ts";
import { parseArgs } from "./args/parse-args.ts";
import { route } from "./args/route.ts";
import type { CommandContext, CommandModule } from "./context.ts";

/** Each command is loaded when it is meant, and no other. */
const MODULES: Readonly<Record<string, () => Promise<unknown>>> = {
  run: () => import("./commands/run.ts"),
  setup: () => import("./commands/setup.ts"),
  enable: () => import("./commands/setup.ts"),
  import: () => import("./commands/import.ts"),
  status: () => import("./commands/status.ts"),
  logs: () => import("./commands/logs.ts"),
  replay: () => import("./commands/replay.ts"),
  report: () => import("./commands/report.ts"),
  "runs list": () => import("./commands/runs-list.ts"),
  "runs prune": () => import("./commands/runs-prune.ts"),
  monitor: () => import("./commands/monitor.ts"),
  attach: () => import("./commands/monitor.ts"),
  say: () => import("./commands/say.ts"),
  stop: () => import("./commands/stop.ts"),
  pause: () => import("./commands/pause.ts"),
  resume: () => import("./commands/resume.ts"),
  extend: () => import("./commands/extend.ts"),
  plan: () => import("./commands/plan.ts"),
  prompt: () => import("./commands/prompt.ts"),
  config: () => import("./commands/config.ts"),
  analyze: () => import("./commands/analyze.ts"),
  "circuit status": () => import("./commands/circuit-status.ts"),
  "circuit reset": () => import("./commands/circuit-reset.ts"),
  "session status": () => import("./commands/session-status.ts"),
  "session reset": () => import("./commands/session-reset.ts"),
  "drivers list": () => import("./commands/drivers-list.ts"),
  "drivers show": () => import("./commands/drivers-show.ts"),
  "drivers test": () => import("./commands/drivers-test.ts"),
  doctor: () => import("./commands/doctor.ts"),
  demo: () => import("./commands/demo.ts"),
  update: () => import("./commands/update.ts"),
  completions: () => import("./commands/completions.ts"),
  help: () => import("./commands/help.ts"),
};

/**
 * Finds the command in the command line and carries it out.
 * @param entry URL of main.ts
 * @returns the exit code
 */
export async function runCommand(argv: readonly string[], entry: string): Promise<number> {
  const meant = route(argv, programName());
  const parsed = parseArgs(meant.definition, meant.rest);
  if (parsed.args.version) {
    console.log(VERSION);
    return 0;
  }
  if (parsed.args.help) {
    const { helpOn } = await import("./commands/help.ts");
    const columns = isatty(1) ? process.stdout.columns || undefined : undefined;
    console.log(helpOn(meant.noCommand ? [] : meant.path, columns).trimEnd());
    return 0;
  }
  // Whoever read our output went away (`ralph run | head`): a run goes on without readers. Not before this: the first
  // touch of a stream costs several ms.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  assumeSize(process.stdout);
  const load = MODULES[meant.path.join(" ")];
  if (load === undefined) throw new Error(`no module for ${meant.path.join(" ")}`);
  // Every file in commands/ exports `run`; that the table pairs each with its definition is checked by a test.
  const module = (await load()) as CommandModule;
  const outputs = [createOutput(() => process.stdout), createOutput(() => process.stderr)] as const;
  let code: number;
  try {
    code = await module.run(context(parsed, outputs, { noCommand: meant.noCommand, self: selfCommand(entry) }));
  } finally {
    await Promise.all(outputs.map((output) => output.drained()));
  }
  // Of all but a run, what is printed is the result.
  const lost = outputs[0].failure();
  if (isDiskFull(lost) && code === 0 && meant.path[0] !== "run")
    throw new RalphError("environment", "The disk is full: what ralph printed could not be written.", { cause: lost });
  return code;
}

function programName(): string {
  const invoked = process.argv0.length > 0 ? process.argv0 : "ralph";
  return basename(invoked);
}

function context(
  parsed: ReturnType<typeof parseArgs>,
  [stdout, stderr]: readonly [Output, Output],
  { noCommand, self }: { noCommand: boolean; self: string[] },
): CommandContext {
  const isTty = {
    stdin: isatty(0),
    stdout: isatty(1),
    stderr: isatty(2),
  };
  const { env } = process;
  return {
    args: parsed.args,
    settings: parsed.settings,
    given: parsed.given,
    projectDir: canonicalProject(resolve(parsed.args["project-dir"] ?? ".")),
    env,
    stdout: stdout.write,
    stderr: stderr.write,
    drained: stdout.drained,
    isTty,
    color: wantsColor(parsed.args.color, env, isTty.stdout),
    get columns() {
      return process.stdout.columns ?? 80;
    },
    noCommand,
    self,
  };
}

/** `--no-color`, NO_COLOR and TERM=dumb switch colours off, as does an output that is no terminal (product.md). */
function wantsColor(flag: boolean | undefined, env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if (flag === false || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return false;
  return flag === true || isTty;
}
