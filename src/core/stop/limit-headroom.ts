import { MAX_DISPUTED_CLAIMS, MAX_GATED_SIGNALS } from "../decide/completion.ts";
import { MAX_BLOCKED_IN_A_ROW } from "../decide/decide.ts";
import { MINUTE_MS } from "../durations.ts";
import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import { deadline } from "./bounds.ts";
import { MAX_FAILURES_IN_A_ROW } from "./failure-backoff.ts";
import type { StopReason } from "./stop-reasons.ts";

/** How near a run is to one of the reasons that could end it; times in ms, money in USD, the rest counted. */
export type LimitHeadroom = { reason: StopReason; used: number; limit: number };

/**
 * What would stop the run: of the counters that have begun to count the nearest to its threshold, and of the bounds the
 * nearest to its end; the nearer of the two first. Empty when nothing counts and nothing is bounded.
 * @param now epoch ms
 */
export function tightestLimits(state: State, now: number): LimitHeadroom[] {
  if (state.run === "" || state.finished !== null) return [];
  const counting = thresholdHeadrooms(state).filter(({ used }) => used > 0);
  return [tightest(counting), tightest(boundHeadrooms(state, now))]
    .filter((stop) => stop !== null)
    .toSorted((a, b) => shareUsed(b) - shareUsed(a));
}

/** How much of the way is gone, from 0 to 1. */
export function shareUsed({ used, limit }: LimitHeadroom): number {
  return Math.min(1, Math.max(0, used / limit));
}

function tightest(stops: readonly LimitHeadroom[]): LimitHeadroom | null {
  return stops
    .filter(({ limit }) => limit > 0)
    .reduce<LimitHeadroom | null>(
      (best, stop) => (best === null || shareUsed(stop) > shareUsed(best) ? stop : best),
      null,
    );
}

function thresholdHeadrooms({ breaker, settings, signals, held, blocked, failures }: State): LimitHeadroom[] {
  const limit = (name: string) => numberOrNull(settings[name]) ?? 0;
  const denials = settings.PERMISSION_DENIAL_MODE === "threshold" ? limit("CB_PERMISSION_DENIAL_THRESHOLD") : 0;
  const doneSignals = signals.done_signals.length;
  // What holds a claim back now holds the next one back, too.
  const done: LimitHeadroom[] =
    held.disputed + held.gated > 0
      ? []
      : [
          { reason: "completion_signals", used: doneSignals, limit: limit("MAX_CONSECUTIVE_DONE_SIGNALS") },
          // One answer that spoke of an end: the next with EXIT_SIGNAL is believed.
          { reason: "project_complete", used: Math.min(1, signals.completion_indicators.length), limit: 2 },
        ];
  return [
    { reason: "stagnation_detected", used: breaker.no_progress, limit: limit("CB_NO_PROGRESS_THRESHOLD") },
    { reason: "repeated_error", used: breaker.same_error, limit: limit("CB_SAME_ERROR_THRESHOLD") },
    { reason: "permission_denials", used: breaker.denials, limit: denials },
    { reason: "read_only_timeouts", used: breaker.read_only_timeouts, limit: limit("CB_READ_ONLY_TIMEOUT_THRESHOLD") },
    { reason: "test_saturation", used: signals.test_only_loops.length, limit: limit("MAX_CONSECUTIVE_TEST_LOOPS") },
    ...done,
    settings.DONE_POLICY === "evidence"
      ? { reason: "completion_disputed", used: held.disputed, limit: MAX_DISPUTED_CLAIMS }
      : { reason: "safety_circuit_breaker", used: redGates(settings, held.gated), limit: MAX_GATED_SIGNALS },
    { reason: "blocked", used: blocked, limit: MAX_BLOCKED_IN_A_ROW },
    { reason: "infrastructure_failures", used: failures.count, limit: MAX_FAILURES_IN_A_ROW },
  ];
}

function boundHeadrooms(state: State, now: number): LimitHeadroom[] {
  const { settings, usage } = state;
  const started = Date.parse(state.started_at);
  const most = numberOrNull(settings.MAX_ITERATIONS);
  const clock = typeof settings.STOP_AT === "string" ? settings.STOP_AT : null;
  const stopAt = deadline(state, { ...NO_BOUNDS, STOP_AT: clock });
  // The iteration under way is one of those that are allowed.
  const iterations = state.iterations + (state.open === null ? 0 : 1);
  return [
    { reason: "max_iterations", used: iterations, limit: most === null ? 0 : most + state.more_iterations },
    { reason: "max_cost", used: usage.cost_usd ?? 0, limit: numberOrNull(settings.MAX_COST_USD) ?? 0 },
    { reason: "max_tokens", used: totalTokens(usage), limit: numberOrNull(settings.MAX_TOKENS) ?? 0 },
    { reason: "max_time", used: now - started, limit: (numberOrNull(settings.MAX_TIME) ?? 0) * MINUTE_MS },
    { reason: "stop_at", used: now - started, limit: Number.isFinite(stopAt) ? stopAt - started : 0 },
  ];
}

const NO_BOUNDS = { MAX_ITERATIONS: null, MAX_COST_USD: null, MAX_TOKENS: null, MAX_TIME: null, STOP_AT: null };

/** Red gates end a run only where they block it (product.md, "Gates"). */
function redGates(settings: State["settings"], gated: number): number {
  return settings.QUALITY_GATE_MODE === "warn" ? 0 : gated;
}

function numberOrNull(setting: unknown): number | null {
  return typeof setting === "number" ? setting : null;
}
