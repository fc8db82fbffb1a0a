import { RalphError } from "../../core/errors.ts";
import { parsePlan } from "../../core/plan.ts";
import { taskPrompt } from "../../core/prompt.ts";
import type { Settings } from "../../core/settings.ts";
import { createHost } from "../../effects/host.ts";
import {
  checkRalphDir,
  isRalphProject,
  type ProjectPaths,
  projectPaths,
  readOptional,
  readRequired,
} from "../../effects/project-files.ts";
import { VERSION } from "../../version.ts";
import { chooseAgent, requireAgent } from "../agent-choice.ts";
import { warningLine } from "../config-text.ts";
import type { CommandContext } from "../context.ts";
import type { RUN } from "../definitions.ts";
import { createLiveView } from "../live-view.ts";
import { loadSettings } from "../load-settings.ts";
import { runToEnd } from "../open-run.ts";
import { stopOnSignals } from "../signals.ts";

/**
 * `ralph run [mode]`: the loop.
 * @returns the exit code of the stop reason
 * @throws RalphError before anything is written, if the run can't begin
 */
export async function run(context: CommandContext<typeof RUN.args>): Promise<number> {
  const { args, env, projectDir } = context;
  checkRalphDir(projectDir);
  const task = args.task ?? null;
  if (context.bare && task === null && !isRalphProject(projectDir))
    return (await import("../card.ts")).showCard(context);

  const { settings, sources, warnings } = loadSettings(context);
  const promptFile = sources.PROMPT_FILE.source === "default" ? null : settings.PROMPT_FILE;
  const paths = projectPaths(projectDir, promptFile, args.mode ?? null);
  if (task === null) requirePrompt(paths, args.mode ?? null);
  const host = createHost(projectDir, env);
  const agent = chooseAgent(settings, host, context.self);
  for (const warning of warnings) context.stderr(warningLine(warning));

  if (args["dry-run"]) return (await import("./prompt.ts")).show({ context, settings, paths, agent, task });
  await requireAgent(agent, host);

  const view = createLiveView({
    output: { write: context.stdout },
    isTty: context.isTty.stdout && env.TERM !== "dumb",
    color: context.color,
    width: () => process.stdout.columns ?? context.columns,
    project: projectDir,
    verbose: settings.RALPH_VERBOSE,
    live: args.live ?? true,
    quiet: args.quiet,
    now: Date.now,
    plan: () => planNow(paths, settings, task),
  });
  let release = () => {};
  try {
    const end = await runToEnd({
      paths,
      settings,
      ...agent,
      host,
      version: VERSION,
      startedBy: "cli",
      task: task === null ? null : taskPrompt(task),
      readers: [view.reader],
      onPartial: view.onPartial,
      live: context.isTty.stdout && (args.live ?? true),
      onStops: (stops) => {
        release = stopOnSignals(stops);
      },
    });
    return end.exit_code;
  } finally {
    release();
    view.close();
  }
}

function requirePrompt(paths: ProjectPaths, mode: string | null): void {
  const hint =
    mode === null
      ? 'Write it, name another with --prompt FILE, or give a task: ralph "TEXT".'
      : `Write PROMPT-${mode}.md in the project or in .ralph/.`;
  if (readRequired(paths.prompt, "The prompt", hint).trim() === "")
    throw new RalphError("environment", `The prompt ${paths.prompt} is empty.`, { hint });
}

function planNow(paths: ProjectPaths, settings: Settings, task: string | null): ReturnType<typeof parsePlan> | null {
  const text = task === null ? readOptional(paths.plan) : null;
  return text === null ? null : parsePlan(text, settings.OPTIONAL_SECTIONS);
}
