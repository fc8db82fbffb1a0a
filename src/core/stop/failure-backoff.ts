import type { ErrorClass } from "../../driver.ts";

/** Failed calls in a row. */
export type FailureStreak = {
  /** Those that count towards giving up: every class but offline and limit. */
  count: number;
  /** All of them, offline ones included: the pause grows with this. */
  in_a_row: number;
  class: ErrorClass | null;
  message: string;
  /** Epoch ms before which no call is made; null for no pause. */
  until: number | null;
};

/** How a call ended; `at` in epoch ms, `limited` when the provider's limit ended it and it will be repeated. */
export type CallSummary = {
  ok: boolean;
  error: { class: ErrorClass; message: string } | null;
  at: number;
  limited: boolean;
};

const INITIAL_BACKOFF_MS = 5_000;
export const MAX_FAILURE_BACKOFF_MS = 300_000;

/** No failure so far. */
export function noFailures(): FailureStreak {
  return { count: 0, in_a_row: 0, class: null, message: "", until: null };
}

/**
 * The row of failures after a call ended (product.md "Stuck"): pauses of 5, 10, 20 … 300 s; being offline does not count to
 * the ten that end a run. A call that merely met a limit or lost its session leaves the row as it was; one that failed
 * without an error of its own (a timeout) reached the provider, so it ends the row.
 */
export function updateFailures(failures: FailureStreak, { ok, error, at, limited }: CallSummary): FailureStreak {
  if (limited || error?.class === "limit" || error?.class === "session") return { ...failures, until: null };
  if (ok || error === null) return noFailures();
  const inARow = failures.in_a_row + 1;
  const pause = Math.min(INITIAL_BACKOFF_MS * 2 ** (inARow - 1), MAX_FAILURE_BACKOFF_MS);
  return {
    count: error.class === "offline" ? failures.count : failures.count + 1,
    in_a_row: inARow,
    class: error.class,
    message: error.message,
    until: at + pause,
  };
}
