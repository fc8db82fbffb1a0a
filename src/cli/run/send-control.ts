import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlCommand } from "../../core/control-command.ts";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { STEER_RUN_HINT } from "../../core/text/hints.ts";
import { type Answer, sendControl } from "../../effects/journal/control-channel.ts";
import { JOURNAL_FILE } from "../../effects/journal/journal-read.ts";
import { readOverview } from "../../effects/journal/journal-tail.ts";
import { readLock } from "../../effects/journal/lock.ts";
import { isDescendantOfAgent } from "../../effects/process-tree/ancestry.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { controlReply } from "../../view/live/control-reply.ts";
import type { GlobalValues } from "../args/define.ts";
import type { CommandContext } from "../context.ts";

const NOT_FOR_AGENTS = "An agent may not steer the run that it works for.";
/** Three seconds were too few where many processes wanted each processor; macOS is asked who the sender is, which alone may take five. */
const DELIVERY_TIMEOUT_MS = 10_000;
/** A start may first have to end what a killed run left, which is given time to end by itself. */
const START_TIMEOUT_MS = 15_000;
const POLL_MS = 15;

/** The live run of a project, by its lock; null for none. */
export function liveRun(ralphDir: string): string | null {
  const lock = readLock(join(ralphDir, "lock"));
  return lock?.isHeld === true ? lock.run : null;
}

/** Why this process may not steer a run; null if it may. An agent must not steer the loop that it works in. */
export function steeringRefusal(env: EnvVars): string | null {
  return (env.RALPH_RUN ?? "") === "" ? null : NOT_FOR_AGENTS;
}

/** Refuses a process that an agent started, by its environment. @throws RalphError `environment` */
export function requireOwnShell(env: EnvVars): void {
  const refusal = steeringRefusal(env);
  if (refusal !== null) throw new RalphError("environment", refusal, { hint: "This shell carries RALPH_RUN." });
}

/**
 * Refuses a process that belongs to an agent.
 * @returns the live run, if there is one
 * @throws RalphError `environment` if an agent started this process
 */
export function refuseAgents(
  { env }: Pick<CommandContext, "env">,
  ralph: string,
): { run: string; state: State } | null {
  requireOwnShell(env);
  const run = liveRun(ralph);
  if (run === null) return null;
  const state = readRunState(ralph, run);
  if (isDescendantOfAgent(agentMarkers(state))) throw new RalphError("environment", NOT_FOR_AGENTS);
  return { run, state };
}

/**
 * Sends a command to the project's live run and reports its effect.
 * @returns the exit code
 * @throws RalphError `environment` if no run is live or it ended meanwhile, belongs to another user or cannot take the
 *   command, or if this process belongs to an agent
 */
export async function controlRun(context: SenderContext, command: ControlCommand): Promise<number> {
  const missed = await tellRun(context, command);
  if (missed !== null) throw missed;
  return 0;
}

type SenderContext = Pick<CommandContext, "projectDir" | "env" | "stdout"> & { args: GlobalValues };

/**
 * The same, for words that may also wait for the next run: what ends just now does not lose them, nor does another command that has the
 * lock for a moment.
 * @param keep keeps them where no run is live; `missed` says that there is none
 * @throws what `keep` throws, and `controlRun`, unless nobody hears the command
 */
export async function tellOrKeep(
  context: SenderContext,
  command: ControlCommand,
  keep: (missed: RalphError) => Promise<void>,
): Promise<number> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const missed = await tellRun(context, command);
    if (missed === null) return 0;
    try {
      await keep(missed);
      return 0;
    } catch (error) {
      // Somebody else took the lock in this moment: a run, which hears it, or a command that is soon over.
      if (liveRun(checkRalphDir(context.projectDir)) === null || Date.now() > until) throw error;
    }
  }
}

/** @returns the error that says that nobody heard the command; null if a run did */
async function tellRun(context: SenderContext, command: ControlCommand): Promise<RalphError | null> {
  const ralph = checkRalphDir(context.projectDir);
  const live = await begunRun(context, ralph);
  if (live === null) return new RalphError("environment", "No run is live in this project.", { hint: STEER_RUN_HINT });
  const { run, state } = live;
  const words = controlReply(command, state);
  if (words.action === "refuse")
    throw new RalphError("environment", words.text, words.hint === undefined ? {} : { hint: words.hint });
  // One whose folder was moved listens under the old name, until its call ends.
  const places = new Set([context.projectDir, state.project].filter((place) => place !== ""));
  if (words.action !== "nothing" && !(await deliver([...places], ralph, run, command)))
    return new RalphError("environment", `Run ${run} ended before it heard this.`);
  if (!context.args.quiet) context.stdout(`${words.text}\n`);
  return null;
}

/**
 * The live run once its journal begins, which tells what can be said to it: a start has the lock before. So has a command that only
 * records something, and is over soon.
 */
async function begunRun(
  context: Pick<CommandContext, "env">,
  ralph: string,
): Promise<{ run: string; state: State } | null> {
  const lockedAt = Date.parse(readLock(join(ralph, "lock"))?.since ?? "");
  // A lock that is older is of no run that only begins.
  const until = Math.min(Date.now(), lockedAt) + START_TIMEOUT_MS;
  for (;;) {
    const live = refuseAgents(context, ralph);
    if (live === null || live.state.run !== "" || !(Date.now() < until)) return live;
    await sleep(POLL_MS);
  }
}

/**
 * Sends a command and waits until the run has taken it.
 * @returns false if it ended before
 * @throws RalphError `environment` if it lives and has not taken it
 */
async function deliver(
  places: readonly string[],
  ralph: string,
  run: string,
  command: ControlCommand,
): Promise<boolean> {
  const end = Date.now() + DELIVERY_TIMEOUT_MS;
  for (let answer: Answer = "gone"; ; await sleep(POLL_MS)) {
    for (const place of places) {
      answer = await sendControl(place, run, command, Math.max(end - Date.now(), POLL_MS));
      if (answer !== "gone") break;
    }
    if (answer === "taken") return true;
    if (typeof answer === "object")
      throw new RalphError("environment", `Run ${run} refused this command: ${answer.refused}.`, {
        hint: "Give it in a terminal of your own that was open before the run began.",
      });
    if (liveRun(ralph) !== run) return false;
    // A run begins to listen shortly after it begins its journal.
    if (Date.now() < end) continue;
    throw answer === "silent" ? silent(run) : unreachable(run);
  }
}

function silent(run: string): RalphError {
  return new RalphError("environment", `Run ${run} does not answer just now, and has not heard this.`, {
    hint: "It is suspended, or the machine is overloaded: try again when it goes on.",
  });
}

function unreachable(run: string): RalphError {
  return new RalphError("environment", `Run ${run} cannot be reached from here.`, {
    hint: "Only the user who started the run may steer it, on the same machine and in the same container.",
  });
}

function journalOf(ralph: string, run: string): string {
  return join(ralph, "runs", run, JOURNAL_FILE);
}

/** The run's state, from an overview of its journal: quick at any length. */
function readRunState(ralph: string, run: string): State {
  const path = journalOf(ralph, run);
  // The lock is taken a moment before the journal begins.
  const { events } = existsSync(path) ? readOverview(path) : { events: [] };
  return events.reduce((state, { event }) => reduce(state, event), initialState(""));
}

/** The environment markers of all processes that the run has started and that may still live. */
function agentMarkers({ call, gate }: State): string[] {
  return [call?.agent?.marker, gate?.process.marker].filter((marker) => marker !== undefined);
}
