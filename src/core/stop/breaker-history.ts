import type { BreakerState } from "./breaker.ts";

/** One change of the breaker's state, as `.circuit_breaker_history` shows it. */
export type BreakerTransition = {
  /** ISO time. */
  timestamp: string;
  /** Number of the iteration; 0 outside one. */
  loop: number;
  from_state: BreakerWord;
  to_state: BreakerWord;
  reason: string;
};

export type BreakerWord = "CLOSED" | "HALF_OPEN" | "OPEN";

const WORDS = { closed: "CLOSED", half_open: "HALF_OPEN", open: "OPEN" } as const satisfies Record<string, BreakerWord>;
const HISTORY_ROWS = 50;

/** The breaker's state in the word of the original files. */
export function breakerWord(breaker: BreakerState): BreakerWord {
  return WORDS[breaker.state];
}

/** Why the breaker is where it is, for people; "" while it is closed and nothing is to be told. */
export function breakerReason(breaker: BreakerState): string {
  if (breaker.state === "open") return breaker.sentence;
  if (breaker.state === "closed") return "";
  return breaker.why === "cooldown"
    ? "Cooldown over: the next iteration decides."
    : `Monitoring: ${breaker.no_progress} iterations without progress.`;
}

/** The history after the breaker went from `from` to `to` at `at` (ISO): the last 50 changes, oldest first. */
export function withTransition(
  history: BreakerTransition[],
  from: BreakerState,
  to: BreakerState,
  at: string,
  loop: number,
): BreakerTransition[] {
  if (from.state === to.state) return history;
  const reason = breakerReason(to) || (from.state === "half_open" ? "Progress: the circuit recovered." : "Reset.");
  const row = { timestamp: at, loop, from_state: breakerWord(from), to_state: breakerWord(to), reason };
  return [...history, row].slice(-HISTORY_ROWS);
}
