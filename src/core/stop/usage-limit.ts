import type { UsageLimit } from "../answer/analysis-types.ts";
import { formatLocalTime } from "../answer/reset-time.ts";
import { DAY_MS, MINUTE_MS } from "../durations.ts";

/** The provider's limit that the newest calls met. */
export type LimitState = {
  kind: "usage_limit" | "rate_limit";
  message: string;
  /** Consecutive calls that met a limit. */
  count: number;
  /** ISO time from the provider; null if it stated none. */
  resets_at: string | null;
  /** Epoch ms at which the iteration resumes; null without a pending wait. */
  until: number | null;
};

const LONGEST_BACKOFF_MINUTES = 30;
export const MAX_BACKOFF_MS = LONGEST_BACKOFF_MINUTES * MINUTE_MS;
const LONGEST_JITTER_MS = 15_000;
/** Plans are by the month at most: a reset further away is a mistake, such as one in another unit, and would stop the work for good. */
const LATEST_RESET_MS = 40 * DAY_MS;

/**
 * The limit after a notice at `at` (epoch ms). The wait lasts until the stated reset time plus a jitter of at most a
 * tenth of the wait and 15 s, else 1, 2, 4 … 30 minutes (product.md "Limited" and "Waits"). A limit that is met again right
 * after its time was not over: those minutes are then the least, as some limits say "in 28 ms" for ever. `seed` makes the
 * jitter equal in every fold.
 */
export function applyLimitNotice(
  previous: LimitState | null,
  notice: UsageLimit,
  at: number,
  seed: string,
): LimitState {
  // A pending wait means that the same call already reported this limit: several notices are one limit.
  const same = previous !== null && previous.until !== null;
  const count = same ? previous.count : (previous?.count ?? 0) + 1;
  const reset = stated(notice.resets_at, at);
  if (reset !== null) {
    const least = count === 1 ? 0 : at + backoff(count - 1);
    const until = Math.max(reset + jitter(reset - at, seed), least);
    return { kind: notice.kind, message: notice.message, count, resets_at: notice.resets_at, until };
  }
  if (same) return previous;
  return { kind: notice.kind, message: notice.message, count, resets_at: null, until: at + backoff(count) };
}

/** For the end of a run whose time is over while it waits: what it waits for; "" without a limit. @param now epoch ms */
export function describePendingLimit(limit: LimitState | null, now: number, zone: string): string {
  if (limit === null || (limit.until ?? 0) <= now) return "";
  const words = limit.kind === "usage_limit" ? "usage limit" : "rate limit";
  if (limit.resets_at === null) return ` It was waiting for the provider's ${words}, which names no end.`;
  return ` It was waiting for the provider's ${words}, which lasts until ${formatLocalTime(Date.parse(limit.resets_at), now, zone)}.`;
}

/** A future reset time that can be, in epoch ms. A past one is useless: the limit still holds. */
function stated(resetsAt: string | null, at: number): number | null {
  const time = resetsAt === null ? Number.NaN : Date.parse(resetsAt);
  return time > at && time - at <= LATEST_RESET_MS ? time : null;
}

function backoff(count: number): number {
  return Math.min(2 ** (count - 1), LONGEST_BACKOFF_MINUTES) * MINUTE_MS;
}

function jitter(wait: number, seed: string): number {
  return Math.floor(Math.min(wait / 10, LONGEST_JITTER_MS) * fraction(seed));
}

/** FNV-1a over the seed's UTF-16 units, as a fraction from 0 to below 1. */
function fraction(seed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i += 1) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
