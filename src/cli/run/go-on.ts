import { continueCommand } from "../../core/continue-command.ts";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { State } from "../../core/journal/state.ts";
import { taskTitle } from "../../core/run-title.ts";
import { MASKED, withSecrets } from "../../core/secrets/env-secrets.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { isFile, projectPaths } from "../../effects/project/project-paths.ts";
import { parseArgs } from "../args/parse-args.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { RUN_WORDS } from "../definitions/shared-args.ts";
import { projectState, stateToGoOnWith } from "../project-state.ts";
import { requireOwnWords } from "./own-words.ts";

/** Whether a new run can go on with the work of this one. */
export function leavesWork({ run, started_by, finished }: State): boolean {
  const worked = run !== "" && (started_by === "cli" || started_by === "task");
  return worked && isUndone(finished);
}

/** Whether the work of this run is a swarm's to go on with: its workers have claims, and may be at work. */
export function leavesSwarm({ started_by, finished }: State): boolean {
  return started_by === "swarm" && isUndone(finished);
}

function isUndone(finished: State["finished"]): boolean {
  return finished === null || STOP_REASONS[finished.reason].status !== "completed";
}

/** The command that begins the next run: one that goes on with this one's work, if it left some. */
export function nextRun(state: State): string {
  return leavesWork(state) || leavesSwarm(state) ? continueCommand(state) : "ralph run";
}

/**
 * The context of `ralph run` that repeats a run, with its task and its flags, below those given now.
 * @throws RalphError `environment` if it was given what only the user may give, and the user did not
 */
export function contextOfRun(
  { task: recorded, words }: Pick<State, "task" | "words">,
  now: CommandContext & { args: Partial<CommandContext<RunArgs>["args"]> },
): CommandContext<RunArgs> {
  requireOwnWords({ task: recorded, words }, now);
  const inFull = (text: string) => wholeText(text, now.env);
  const task = recorded === null ? null : inFull(recorded);
  const then = parseArgs(RUN_WORDS, words.map(inFull));
  return {
    ...now,
    args: { ...then.args, ...now.args, mode: then.args.mode, task: task ?? undefined },
    settings: { ...then.settings, ...now.settings },
    given: [...then.given, ...now.given],
    noCommand: false,
  };
}

/**
 * A text of the journal with the secrets of this environment in their places.
 * @throws RalphError `environment` if it had others, which are nowhere any more
 */
function wholeText(text: string, env: EnvVars): string {
  const whole = withSecrets(text, env);
  const lost = MASKED.exec(whole)?.[0];
  if (lost === undefined) return whole;
  throw new RalphError("environment", `The run to go on with was given a secret that no record keeps: ${lost}.`, {
    hint: "Say again what is to be done, with the secret in a variable of the environment that the text names.",
  });
}

/**
 * The task of the newest run, if `ralph run` has nothing else to do: without a task, a mode and a prompt file. Else the
 * context as it is.
 */
export async function withUnfinishedTask(context: CommandContext<RunArgs>): Promise<CommandContext<RunArgs>> {
  const { args, settings, env, projectDir, log } = context;
  const namesWork = args.task !== undefined || args.mode !== undefined || settings.PROMPT_FILE !== undefined;
  if (namesWork || (env.PROMPT_FILE ?? "") !== "" || isFile(projectPaths(projectDir, null, null).prompt))
    return context;
  const state = await stateToGoOnWith(projectDir, (await projectState(projectDir)).state);
  if (state.task === null || !leavesWork(state)) return context;
  log.info(`Going on with: ${taskTitle(state.task)}`);
  return contextOfRun(state, context);
}
