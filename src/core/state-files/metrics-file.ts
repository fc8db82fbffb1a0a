import type { RalphEvent } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { breakerStateName } from "../stop/breaker-history.ts";
import { isoText } from "../text/time-text.ts";
import { jsonLine } from "./file-json.ts";

type IterationFinished = Extract<RalphEvent, { type: "iteration_finished" }>;

/**
 * One line of `logs/metrics.jsonl`: the 22 fields of bmalph, then those of the bash loop's summary.
 * @param state after the event
 * @param gates verdict over the gates of this iteration; null if none ran
 * @param calls the number of calls in the iteration
 */
export function metricsLine(
  state: State,
  event: IterationFinished,
  gates: "pass" | "fail" | null,
  calls: number,
): string {
  const { analysis, evidence, usage } = event;
  const outcome = loopOutcome(event);
  return jsonLine({
    run_id: event.run,
    loop: event.iteration,
    timestamp: isoText(event.at),
    driver: state.driver,
    session_id: state.session.session_id,
    loop_outcome: outcome,
    duration_ms: event.ms,
    duration_api_ms: usage.duration_ms,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_read_tokens: usage.cache_read_tokens,
    cache_creation_tokens: usage.cache_creation_tokens,
    total_cost_usd: usage.cost_usd,
    num_turns: usage.turns,
    files_changed: evidence.files_changed_count,
    reported_files_modified: analysis.files_modified,
    has_errors: analysis.errors.length > 0,
    exit_signal: analysis.exit_signal,
    was_read_only_timeout: outcome === "read_only_timeout",
    quality_gate_result: gates,
    has_permission_denials: analysis.has_permission_denials,
    circuit_breaker_state: breakerStateName(event.breaker),
    duration: Math.round(event.ms / 1000),
    success: outcome === "success",
    calls,
  });
}

function loopOutcome({ outcome, analysis, evidence, breaker }: IterationFinished): string {
  if (analysis.usage_limit !== null && outcome === "failed") return "api_limit";
  if (outcome === "timed_out" && !evidence.progress) return "read_only_timeout";
  if (outcome === "failed") return "error";
  return breaker.state === "open" ? "circuit_breaker_trip" : "success";
}
