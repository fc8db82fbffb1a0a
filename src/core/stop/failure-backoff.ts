import type { ErrorClass } from "../../driver.ts";
import { classifyError } from "../answer/error-patterns.ts";
import type { Evidence } from "../journal/event.ts";
import { planComplete } from "../plan/fix-plan.ts";
import { addSameFailure, MOST_FAILURES, noSameFailures, quickPause, type SameFailures } from "./same-failure.ts";

/** Consecutive failed calls. */
export type FailureStreak = {
  /** Failures that count towards giving up: all but limits and outages that are waited out. */
  count: number;
  /** All failures, including outages: the pause grows with this number. */
  in_a_row: number;
  class: ErrorClass | null;
  message: string;
  /** Epoch ms before which no call starts; null for no pause. */
  until: number | null;
  /** The newest ones that look the same. */
  same: SameFailures;
  /** A call of this run was answered: agent and provider do work together, and an outage passes. */
  answered: boolean;
};

/** How a call ended; `at` in epoch ms, `limited` if it is repeated because of the provider's limit or a lost conversation. */
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
  return { count: 0, in_a_row: 0, class: null, message: "", until: null, same: noSameFailures(), answered: false };
}

/**
 * The streak of failures after a call (product.md "Stuck"). Pauses are 5, 10, 20 … 300 s, longer ones after quick failures
 * that look the same; being offline does not count towards the failures that end a run. A call that only met a limit or lost its session leaves the streak
 * unchanged. A failure without an error of its own (a timeout) reached the provider, and ends the streak.
 */
export function updateFailures(failures: FailureStreak, { ok, error, at, limited }: CallSummary): FailureStreak {
  if (limited || error?.class === "limit" || error?.class === "session") return { ...failures, until: null };
  const answered = ok || failures.answered;
  if (ok || error === null) return { ...noFailures(), answered };
  const inARow = failures.in_a_row + 1;
  const same = addSameFailure(failures.same, failures, error, at);
  const wished = Math.max(INITIAL_BACKOFF_MS * 2 ** (inARow - 1), quickPause(same));
  const pause = Math.min(wished, MAX_FAILURE_BACKOFF_MS);
  return {
    count: error.class === "offline" ? failures.count : failures.count + 1,
    in_a_row: inARow,
    class: error.class,
    message: error.message,
    until: at + pause,
    same,
    answered,
  };
}

/**
 * Whether the newest failure tells of a network or a provider that is down, and not of an agent that never worked here: by its
 * class, or, once a call was answered, by words that are known.
 */
export function isOutage({ class: errorClass, message, answered }: FailureStreak): boolean {
  if (errorClass === "offline") return true;
  return answered && errorClass === "infrastructure" && classifyError(message)?.class === "infrastructure";
}

/**
 * Whether a provider that the network reaches has failed so often that its trouble may be with this conversation alone: what is
 * waited out without end would wait for ever then.
 */
export function mayBeConversation(failures: FailureStreak): boolean {
  return isOutage(failures) && failures.class !== "offline" && failures.in_a_row % MOST_FAILURES === 0;
}

/**
 * The streak after an iteration. One that is waited out counts no further towards giving up. Any other failed call that changed files
 * was no waste, and the next one counts as the first that looks the same. One that ticked a box or made a commit before it was broken
 * off shows that the calls do work, and the next failure is the first in a row: not once the plan is complete, which no failed call
 * ends.
 */
export function failuresAfter(
  failures: FailureStreak,
  { progress, commits, committed_inside, plan_delta, plan }: Evidence,
  waitedOut = false,
): FailureStreak {
  if (waitedOut && failures.class !== "offline") return { ...failures, count: failures.count - 1 };
  if (failures.in_a_row === 0 || !progress) return failures;
  const isHeadway = !planComplete(plan) && (commits.length > 0 || committed_inside === true || plan_delta > 0);
  return { ...failures, same: noSameFailures(), ...(isHeadway ? { count: 0, in_a_row: 0 } : {}) };
}
