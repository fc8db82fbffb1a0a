import { decide } from "../core/decide.ts";
import type { EventOf } from "../core/event.ts";
import type { SessionResetReason } from "../core/session.ts";
import type { State } from "../core/state.ts";
import { STOPS, type StopReason } from "../core/stop.ts";
import type { CallDecoders } from "./agent-call.ts";
import type { LoopDeps } from "./deps.ts";
import { type Before, runIteration } from "./iteration.ts";

/**
 * Decides, waits, iterates, until there is a reason to stop.
 * @returns the run's last event
 */
export async function loop(deps: LoopDeps, decoders: CallDecoders): Promise<EventOf<"run_finished">> {
  const { recorder, settings, clock, project, stop } = deps;
  let before: Before | null = null;
  for (;;) {
    const decision = decide(recorder.state(), settings, clock.now());
    if (decision.do === "stop") return finishRun(deps, decision.reason, decision.sentence);
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
    const lost = project.restoreLost();
    if (lost.length > 0) return finishRun(deps, "files_deleted", `Put back after the iteration: ${lost.join(", ")}.`);
  }
}

function finishRun(deps: LoopDeps, reason: StopReason, sentence: string): EventOf<"run_finished"> {
  const { recorder } = deps;
  const reset = sessionReset(reason, recorder.state());
  if (reset !== null) recorder.append({ type: "reset", what: "session", reason: reset });
  const { iterations, calls, usage } = recorder.state();
  const event = recorder.append({
    type: "run_finished",
    stop_reason: reason,
    exit_code: STOPS[reason].exit,
    sentence,
    iterations,
    calls,
    usage,
    cost_usd: usage.cost_usd,
  });
  if (event.type !== "run_finished") throw new Error("the recorder returns the event that it was given");
  return event;
}

/** Which ends of a run end the agent's conversation too (product.md, "Session resets"). */
function sessionReset(reason: StopReason, state: State): SessionResetReason | null {
  const stop = STOPS[reason];
  if (stop.status === "completed") return "project_complete";
  if (stop.action === "circuit_breaker_open") return "circuit_breaker_open";
  if (reason === "permission_denied") return "permission_denied";
  if (reason === "interrupted" || state.stop_requested?.by === "SIGINT") return "manual_interrupt";
  return null;
}
