import { gitFailure, RETRY_AFTER_MS } from "../../core/publish/git-failure.ts";
import type { GitStep, GitStepName } from "../../core/publish/git-step.ts";
import { lockInTheWay, removesLock } from "../../core/publish/index-lock.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Publisher, Tried } from "../../effects/ports.ts";
import type { Agent } from "../agent.ts";
import { checkpointNow } from "../checkpoint.ts";
import type { Run } from "../run.ts";

/** What the git steps of a run share. */
export type StepContext = {
  run: Run;
  agent: Agent;
  publisher: Publisher;
  /** The branch that was checked out when the run began; null for none. */
  branch: string | null;
  /** Files that are too large for most servers and were told already. */
  large: Set<string>;
};

const SAID_CHARS = 600;
type StepName = Exclude<GitStepName, "index">;
const NOT = { commit: "Not committed", rebase: "Not rebased", push: "Not pushed", tag: "Not tagged" } as const;

/** Records that a step was done. */
export function succeed({ run }: StepContext, step: Omit<GitStep, "result">): void {
  run.append({ type: "git_step", result: "done", ...step });
}

/** Records why a step was not done, unless it is known already. @param usual what a person can do about it */
export function fail({ run }: StepContext, step: StepName, why: string, usual: string | null = null): void {
  const text = `${NOT[step]}: ${truncate(singleLine(why), SAID_CHARS)}`;
  const lock = lockInTheWay(why);
  const command = lock === null ? usual : removesLock(lock);
  const known = run.state().publish.failed[step];
  if (known?.text === text && known.command === command) return;
  run.append({ type: "git_step", step, result: "failed", text, ...(command === null ? {} : { command }) });
}

/**
 * Asks a remote again where the network failed, at growing intervals. Any request to stop ends the waits, and a stop at once git itself.
 * @param attempt gets the signal that ends git
 */
export async function withRetries<T>(
  { stops, world }: Run,
  attempt: (signal: AbortSignal) => Promise<Tried<T>>,
): Promise<Tried<T>> {
  const waits = [...RETRY_AFTER_MS];
  for (;;) {
    const result = await attempt(stops.killSignal);
    const wait = waits.shift();
    if ("value" in result || result.ended !== undefined || wait === undefined) return result;
    if (gitFailure(result.failed) !== "passing") return result;
    const { waitSignal } = stops;
    const now = world.clock.now();
    await world.clock.sleepUntil(now + wait, waitSignal, now);
    if (waitSignal.aborted) return result;
  }
}

/** What a person can type to see what a remote refuses; null if that passes by itself, or a stop ended it. */
export function forPerson(
  { failed, ended }: Extract<Tried<unknown>, { failed: string }>,
  command: string,
): string | null {
  return ended === undefined && gitFailure(failed) === "permanent" ? command : null;
}

/**
 * Keeps the files before a step, in a checkpoint whose commit it returns; null if the last one has the same files and `always` is not
 * set. Checkpoints that are switched off do not count here: what is not committed would have no other copy.
 */
export async function keepFiles(
  run: Run,
  name: string,
  always: boolean,
): Promise<{ commit: string | null } | { failed: string }> {
  const isFirst = run.state().checkpoint === null;
  try {
    const made = await checkpointNow(run, { name, before: "a git step", onlyNew: !always });
    if (made !== null && isFirst && !run.settings.CHECKPOINTS)
      run.append({
        type: "note",
        level: "info",
        text: "Checkpoints are off; one is made all the same before a git step.",
      });
    return { commit: made?.commit ?? null };
  } catch (error) {
    return { failed: `no checkpoint of the files could be made: ${reasonOf(error)}` };
  }
}
