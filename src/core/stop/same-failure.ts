import { mainErrorLine } from "../answer/error-lines.ts";
import { classifyError } from "../answer/error-patterns.ts";
import { normaliseLine } from "../answer/fingerprint.ts";
import { MINUTE_MS } from "../durations.ts";
import { count } from "../text/count.ts";
import type { FailureStreak } from "./failure-backoff.ts";

/** Failures in a row that look the same: an outage and a broken installation differ in what a further call is worth. */
export type SameFailures = {
  count: number;
  /** Epoch ms of the first. */
  since: number;
  /** Three came within a minute and without any work between them. */
  quick: boolean;
};

type Failed = Pick<FailureStreak, "class" | "message">;

const QUICK_COUNT = 3;
/** The first pauses are 5 and 10 s, so the third of three quick failures comes after 15 s and their own time. */
const QUICK_MS = MINUTE_MS;
/** Pauses after quick failures: 2, 4 and then 5 minutes. */
const QUICK_PAUSE_MS = 2 * MINUTE_MS;
/** Consecutive failures that end a run (product.md "Stuck"). */
export const MOST_FAILURES = 10;
/** Ends a run whose quick failures have words that nobody knows: after eleven minutes, not twenty. */
const MOST_QUICK = 6;

/** No failure so far. */
export function noSameFailures(): SameFailures {
  return { count: 0, since: 0, quick: false };
}

/** The same failures after one more at `at` (epoch ms). */
export function addSameFailure(
  { count: before, since, quick }: SameFailures,
  previous: Failed,
  error: Failed,
  at: number,
): SameFailures {
  if (before === 0 || !isSame(previous, error)) return { count: 1, since: at, quick: false };
  const isQuick = error.class === "infrastructure" && before + 1 >= QUICK_COUNT && at - since <= QUICK_MS;
  return { count: before + 1, since, quick: quick || isQuick };
}

/** The pause after the newest of quick failures, in ms; 0 for no longer one than usual. */
export function quickPause({ count: n, quick }: SameFailures): number {
  return quick ? QUICK_PAUSE_MS * 2 ** (n - QUICK_COUNT) : 0;
}

/**
 * How many failures in a row end a run. The pauses up to the sixth quick one add up to eleven minutes, enough for an update or
 * a restart to end. What then still fails in the same unknown words fails for a reason that time does not mend; known words of
 * a network or a provider get all ten.
 */
export function mostFailures({ same, message }: FailureStreak): number {
  return same.quick && isUnknown(message) ? MOST_QUICK : MOST_FAILURES;
}

/**
 * Whether the newest failure is the third that looks the same, in words that tell of no network or provider: an agent may refuse
 * a conversation, or fail at what it remembers, in words that nobody knows. A program that is not there (`config`) refused nothing.
 */
export function mayRefuseConversation({ same, class: errorClass, message }: FailureStreak): boolean {
  return errorClass === "infrastructure" && same.count === QUICK_COUNT && isUnknown(message);
}

function isUnknown(message: string): boolean {
  return classifyError(message)?.class !== "infrastructure";
}

/**
 * A sentence for the user, once, when three quick failures were the same; null otherwise.
 * @param left the conversation that failed: the next call begins another
 */
export function describeQuickFailures(before: FailureStreak, after: FailureStreak, left: boolean): string | null {
  if (before.same.quick || !after.same.quick) return null;
  const most = mostFailures(after);
  const message = mainErrorLine(after.message).replace(/[.\s]*$/, "");
  const cause =
    most === MOST_QUICK
      ? `${left ? "The next one begins a new conversation, in case it is this one. If that fails too" : "A fourth would hardly differ"}: look at the agent's installation, its settings, and the proxy between it and its provider`
      : "The agent's provider or the network to it seems to be down";
  const end = after.count > before.count ? `failure ${most} ends the run` : "the run goes on once it is back";
  return `${count(after.same.count, "call")} in a row failed within a minute in the same way: ${message}. ${cause}. The pauses grow now, and ${end}.`;
}

/** Words that differ only in numbers, times and ids are the same; other classes than infrastructure say enough by themselves. */
function isSame(one: Failed, other: Failed): boolean {
  if (one.class !== other.class) return false;
  return one.class !== "infrastructure" || normalised(one) === normalised(other);
}

function normalised({ message }: Failed): string {
  return normaliseLine(mainErrorLine(message));
}
