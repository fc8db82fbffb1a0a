import { gatesPending } from "../core/decide/completion.ts";
import { type Decision, decide } from "../core/decide/decide.ts";
import { describeMissing } from "../core/decide/rejected-claim.ts";
import type { SessionResetReason } from "../core/decide/session.ts";
import type { EventOf } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { planComplete } from "../core/plan/fix-plan.ts";
import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { describeUnenforceableLimits } from "../core/stop/unenforceable-limits.ts";
import type { Snapshot } from "../effects/ports.ts";
import { parseProjectPlan } from "./compose-call.ts";
import type { LoopDeps } from "./deps.ts";
import { runGates } from "./gates.ts";
import { runIteration } from "./iteration.ts";
import type { CallDecoders } from "./listener.ts";
import { reviewIfDue } from "./review.ts";

/** Nothing is put back then: the files are where the folder is now, the journal among them. */
const GONE = "The project's folder is no longer where it was: moved, renamed or deleted. Go on from where it is now.";

/**
 * Decides, waits, iterates, until there is a reason to stop.
 * @returns the run's last event
 */
export async function loop(deps: LoopDeps, decoders: CallDecoders): Promise<EventOf<"run_finished">> {
  const { recorder, settings, clock, stop } = deps;
  let before: Snapshot | null = null;
  let told = 0;
  let toldBlind = false;
  for (;;) {
    // A stop that could not be recorded: the state knows nothing of it, and each further call would be ended at once.
    if (stop.kill.aborted && recorder.state().stop_requested === null) throw stop.kill.reason;
    // After a wait as well, in which a person may have deleted something, or moved all of it.
    const lost = restoreLostFiles(deps);
    if (lost !== null) return finishRun(deps, "files_deleted", lost);
    if (completeUnchecked(deps)) {
      await runGates(deps, recorder.state().iteration);
      continue;
    }
    const decision = decide(recorder.state(), settings, clock.now());
    if (decision.do === "stop") return finishRun(deps, decision.reason, withNextStep(deps, decision));
    if (decision.do === "wait") {
      recorder.append({
        type: "wait_started",
        until: new Date(decision.until).toISOString(),
        why: decision.why,
        message: decision.message,
      });
      await clock.sleepUntil(decision.until, stop.wait);
      recorder.append({ type: "wait_ended", why: decision.why });
      // A person may have edited files meanwhile: that is not the agent's work, unless an iteration is open.
      if (recorder.state().open === null) before = null;
      continue;
    }
    if (decision.expired) recorder.append({ type: "reset", what: "session", reason: "session_expired" });
    before = await runIteration(deps, decision, before, decoders);
    const deleted = restoreLostFiles(deps);
    if (deleted !== null) return finishRun(deps, "files_deleted", deleted);
    if (await reviewIfDue(deps, decision, decoders)) before = null;
    told = noteWarnings(deps, told);
    if (!toldBlind) toldBlind = warnUnenforceableLimits(deps);
  }
}

/** What vanished of the files that a run needs, in a sentence; it is put back. Null where nothing did. */
function restoreLostFiles({ project }: LoopDeps): string | null {
  if (project.isGone()) return GONE;
  const lost = project.restoreLost();
  return lost.length === 0 ? null : `Put back: ${lost.join(", ")}.`;
}

/** What the workspace could not read: each thing once, when it comes up. @returns how many are told now */
function noteWarnings({ workspace, recorder }: LoopDeps, told: number): number {
  for (const text of workspace.warnings.slice(told)) recorder.append({ type: "note", level: "warn", text });
  return workspace.warnings.length;
}

/** A bound that can't hold is no bound: told after the first answer that shows it. @returns whether it was told */
function warnUnenforceableLimits({ recorder, settings, driver }: LoopDeps): boolean {
  const text = describeUnenforceableLimits(recorder.state(), settings, driver.displayName);
  if (text !== null) recorder.append({ type: "note", level: "warn", text });
  return text !== null;
}

/** A plan that is complete, as at the start, while the gates have yet to look at it (product.md "Gates"). */
function completeUnchecked({ recorder, settings }: LoopDeps): boolean {
  const { plan, gates, last, open, stop_requested } = recorder.state();
  const pending = open === null && planComplete(plan) && gatesPending(gates, settings);
  return pending && last?.outcome !== "failed" && stop_requested === null;
}

/** What decides nothing and helps a person: the login's command, which only the driver knows, and what was missing for "done". */
function withNextStep(
  { driver, recorder, settings, project }: LoopDeps,
  { reason, sentence }: Extract<Decision, { do: "stop" }>,
): string {
  if (reason !== "authentication" || driver.loginCommand === undefined)
    return sentence + describeMissing(reason, recorder.state(), settings, parseProjectPlan(project.plan(), settings));
  return `${sentence.replace(/[.\s]*$/, "")}. Log in with: ${driver.loginCommand}`;
}

function finishRun(deps: LoopDeps, reason: StopReason, sentence: string): EventOf<"run_finished"> {
  const { recorder } = deps;
  const { open } = recorder.state();
  if (open !== null) {
    const why = reason === "usage_limit" ? "the limit ended it" : "the run ended while it waited";
    recorder.append({ type: "iteration_interrupted", number: open.number, why });
  }
  const reset = sessionReset(reason, recorder.state());
  // Work that is done leaves no breaker open behind: it would refuse the next run.
  const what =
    STOP_REASONS[reason].status === "completed" && recorder.state().breaker.state === "open" ? "both" : "session";
  if (reset !== null && (what === "both" || hadSession(recorder.state())))
    recorder.append({ type: "reset", what, reason: reset });
  const { iterations, calls, usage } = recorder.state();
  return recorder.append({
    type: "run_finished",
    stop_reason: reason,
    exit_code: STOP_REASONS[reason].exit,
    sentence,
    iterations,
    calls,
    usage,
    cost_usd: usage.cost_usd,
  });
}

/** A start that was refused at once has no conversation to end: each further one would only fill the history. */
function hadSession({ iterations, session }: State): boolean {
  return iterations > 0 || session.session_id !== null;
}

/** Which ends of a run end the agent's conversation too (product.md, "Session resets"). */
function sessionReset(reason: StopReason, state: State): SessionResetReason | null {
  const stop = STOP_REASONS[reason];
  if (stop.status === "completed") return "project_complete";
  if (stop.action === "circuit_breaker_open") return "circuit_breaker_open";
  if (reason === "permission_denied") return "permission_denied";
  if (reason === "interrupted" || state.stop_requested?.by === "SIGINT") return "manual_interrupt";
  return null;
}
