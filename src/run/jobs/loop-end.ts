/** The end of the loop: what is closed with it, and what its user is told to do next. */
import type { Decision } from "../../core/decide/decide.ts";
import { closingReset, whyInterrupted } from "../../core/decide/end-of-run.ts";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { describeMissing } from "../../core/decide/rejected-claim.ts";
import type { EventOf } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { describeLooks } from "../../core/look/look-first.ts";
import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { describeTakenOff } from "../../core/plan/taken-off-text.ts";
import { describeFailedSteps } from "../../core/publish/git-step.ts";
import { STOP_REASONS, type StopReason } from "../../core/stop/stop-reasons.ts";
import { describePendingLimit } from "../../core/stop/usage-limit.ts";
import type { Agent } from "../agent.ts";
import { planIfReadable } from "../plan-if-readable.ts";
import type { Run } from "../run.ts";
import { breakOff } from "./break-off.ts";
import type { GitSteps } from "./git-steps.ts";

/** Adds what helps the user: the driver's login command, what was missing for "done", who looked at it, or what it waits for. */
export function withNextStep(
  { world, state, settings }: Run,
  { driver }: Agent,
  { reason, sentence }: Extract<Decision, { do: "stop" }>,
): string {
  if (STOP_REASONS[reason].status === "completed") {
    const taken = describeTakenOff(state().taken_off);
    return `${sentence}${describeLooks(state(), settings, world.clock.now())}${taken === "" ? "" : ` ${taken}`}`;
  }
  if (reason === "max_time" || reason === "stop_at")
    return sentence + describePendingLimit(state().limit, world.clock.now(), world.zone);
  if (reason !== "authentication" || driver.loginCommand === undefined)
    return (
      sentence +
      describeMissing(reason, state(), settings, parseProjectPlan(planIfReadable(world.project.plan), settings))
    );
  return `${sentence.replace(/[.\s]*$/, "")}. Log in with: ${driver.loginCommand}`;
}

/**
 * Ends a run: what is open is closed, and what the next run is not to go on with is reset.
 * @param steps take their part at the end; null where there are none
 */
export async function endRun(
  run: Run,
  reason: StopReason,
  sentence: string,
  steps: GitSteps | null,
): Promise<EventOf<"run_finished">> {
  await rememberGates(run, reason);
  const { open, breaker } = run.state();
  if (open !== null) breakOff(run, open.number, whyInterrupted(reason));
  const reset = closingReset(reason, run.state());
  // Finished work closes an open breaker, which would otherwise refuse the next run.
  const what = STOP_REASONS[reason].status === "completed" && breaker.state === "open" ? "both" : "session";
  if (reset !== null && (what === "both" || hadSession(run.state())))
    run.append({ type: "reset", what, reason: reset });
  const published = steps === null ? describeFailedSteps(run.state().publish) : await steps.atEnd(reason);
  return run.finish(reason, sentence + published);
}

/** Remembers the gates' files at an end that is not "done": the work goes on in the next run. */
async function rememberGates({ world, settings, gateWatch }: Run, reason: StopReason): Promise<void> {
  if (gateCommands(settings).length === 0 || STOP_REASONS[reason].status === "completed") return;
  if (!world.project.isGone()) gateWatch.end(await world.workspace.snapshot());
}

/** Whether there is a session to reset. A start that was refused at once has none, and would only fill the history. */
function hadSession({ iterations, session }: State): boolean {
  return iterations > 0 || session.session_id !== null;
}
