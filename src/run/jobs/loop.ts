import { gatesPending } from "../../core/decide/completion.ts";
import { type Decision, decide } from "../../core/decide/decide.ts";
import { describeMissing } from "../../core/decide/rejected-claim.ts";
import type { SessionResetReason } from "../../core/decide/session.ts";
import type { EventOf } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { parseProjectPlan, planComplete } from "../../core/plan/fix-plan.ts";
import { STOP_REASONS, type StopReason } from "../../core/stop/stop-reasons.ts";
import { describeUnenforceableLimits } from "../../core/stop/unenforceable-limits.ts";
import type { Snapshot } from "../../effects/ports.ts";
import type { Agent } from "../agent.ts";
import type { Run } from "../run.ts";
import { runGates } from "./gates.ts";
import { runIteration } from "./iteration.ts";
import { reviewIfDue } from "./review.ts";

/** Nothing is put back then: the files are where the folder is now, the journal among them. */
const GONE = "The project's folder is no longer where it was: moved, renamed or deleted. Go on from where it is now.";

/**
 * Decides, waits, iterates, until there is a reason to stop.
 * @returns the run's last event
 */
export async function loop(run: Run, agent: Agent): Promise<EventOf<"run_finished">> {
  const { settings, stops } = run;
  const { clock } = run.world;
  let before: Snapshot | null = null;
  let warnings = 0;
  let warnedOfLimits = false;
  for (;;) {
    // A stop that could not be recorded: the state knows nothing of it, and each further call would be ended at once.
    if (stops.killSignal.aborted && run.state().stop_requested === null) throw stops.killSignal.reason;
    // After a wait as well, in which a person may have deleted something, or moved all of it.
    const lost = restoreLostFiles(run);
    if (lost !== null) return endRun(run, "files_deleted", lost);
    if (completeUnchecked(run)) {
      await runGates(run, run.state().iteration);
      continue;
    }
    const decision = decide(run.state(), settings, clock.now());
    if (decision.do === "stop") return endRun(run, decision.reason, withNextStep(run, agent, decision));
    if (decision.do === "wait") {
      run.append({
        type: "wait_started",
        until: new Date(decision.until).toISOString(),
        why: decision.why,
        message: decision.message,
      });
      await clock.sleepUntil(decision.until, stops.waitSignal);
      run.append({ type: "wait_ended", why: decision.why });
      // A person may have edited files meanwhile: that is not the agent's work, unless an iteration is open.
      if (run.state().open === null) before = null;
      continue;
    }
    if (decision.expired) run.append({ type: "reset", what: "session", reason: "session_expired" });
    before = await runIteration(run, agent, decision, before);
    const deleted = restoreLostFiles(run);
    if (deleted !== null) return endRun(run, "files_deleted", deleted);
    if (await reviewIfDue(run, agent, decision)) before = null;
    warnings = noteWarnings(run, warnings);
    if (!warnedOfLimits) warnedOfLimits = warnUnenforceableLimits(run, agent);
  }
}

/** What vanished of the files that a run needs, in a sentence; it is put back. Null where nothing did. */
function restoreLostFiles({ world, guard }: Run): string | null {
  if (world.project.isGone()) return GONE;
  const lost = guard.restoreLost();
  return lost.length === 0 ? null : `Put back: ${lost.join(", ")}.`;
}

/** Reports what the workspace could not read, each thing once. @param reported how many were reported before */
function noteWarnings({ world, append }: Run, reported: number): number {
  const { warnings } = world.workspace;
  for (const text of warnings.slice(reported)) append({ type: "note", level: "warn", text });
  return warnings.length;
}

/** A limit that cannot hold is no limit: reported after the first answer that shows it. @returns whether it was */
function warnUnenforceableLimits({ state, append, settings }: Run, { driver }: Agent): boolean {
  const text = describeUnenforceableLimits(state(), settings, driver.displayName);
  if (text !== null) append({ type: "note", level: "warn", text });
  return text !== null;
}

/** A plan that is complete, as at the start, while the gates have yet to look at it (product.md "Gates"). */
function completeUnchecked({ state, settings }: Run): boolean {
  const { plan, gates, last, open, stop_requested } = state();
  const pending = open === null && planComplete(plan) && gatesPending(gates, settings);
  return pending && last?.outcome !== "failed" && stop_requested === null;
}

/** What decides nothing and helps a person: the login's command, which only the driver knows, and what was missing for "done". */
function withNextStep(
  { world, state, settings }: Run,
  { driver }: Agent,
  { reason, sentence }: Extract<Decision, { do: "stop" }>,
): string {
  if (reason !== "authentication" || driver.loginCommand === undefined)
    return sentence + describeMissing(reason, state(), settings, parseProjectPlan(world.project.plan(), settings));
  return `${sentence.replace(/[.\s]*$/, "")}. Log in with: ${driver.loginCommand}`;
}

function endRun(run: Run, reason: StopReason, sentence: string): EventOf<"run_finished"> {
  const { open, breaker } = run.state();
  if (open !== null) {
    const why = reason === "usage_limit" ? "the limit ended it" : "the run ended while it waited";
    run.append({ type: "iteration_interrupted", number: open.number, why });
  }
  const reset = sessionReset(reason, run.state());
  // Work that is done leaves no breaker open behind: it would refuse the next run.
  const what = STOP_REASONS[reason].status === "completed" && breaker.state === "open" ? "both" : "session";
  if (reset !== null && (what === "both" || hadSession(run.state())))
    run.append({ type: "reset", what, reason: reset });
  return run.finish(reason, sentence);
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
