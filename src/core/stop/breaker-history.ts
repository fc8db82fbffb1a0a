import { count } from "../text/count.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";

/** One change of the breaker's state, in the form of `.circuit_breaker_history`. */
export type BreakerTransition = {
  /** ISO time. */
  timestamp: string;
  /** Number of the iteration; 0 outside one. */
  loop: number;
  from_state: BreakerStateName;
  to_state: BreakerStateName;
  reason: string;
};

export type BreakerStateName = "CLOSED" | "HALF_OPEN" | "OPEN";

const STATE_NAMES = { closed: "CLOSED", half_open: "HALF_OPEN", open: "OPEN" } as const satisfies Record<
  string,
  BreakerStateName
>;
const HISTORY_ROWS = 50;

/** The breaker's state in the original files' word. */
export function breakerStateName(breaker: CircuitBreaker): BreakerStateName {
  return STATE_NAMES[breaker.state];
}

/** The reason for the breaker's state, in words; "" for a closed breaker without anything to report. */
export function breakerReason(breaker: CircuitBreaker): string {
  if (breaker.state === "open") return breaker.sentence;
  if (breaker.state === "closed") return "";
  return breaker.why === "cooldown"
    ? "Cooldown over: the next iteration decides."
    : `Monitoring: ${count(breaker.no_progress, "iteration")} without progress.`;
}

/** Adds the change from `from` to `to` at `at` (ISO) to the history: the last 50 changes, oldest first. */
export function appendTransition(
  history: BreakerTransition[],
  from: CircuitBreaker,
  to: CircuitBreaker,
  at: string,
  loop: number,
): BreakerTransition[] {
  if (from.state === to.state) return history;
  const reason = breakerReason(to) || (from.state === "half_open" ? "Progress: the circuit recovered." : "Reset.");
  const row = { timestamp: at, loop, from_state: breakerStateName(from), to_state: breakerStateName(to), reason };
  return [...history, row].slice(-HISTORY_ROWS);
}
