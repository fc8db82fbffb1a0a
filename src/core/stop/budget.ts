import { HOUR_MS } from "../durations.ts";
import { utcOffset } from "../text/time-text.ts";

/** The call budget: calls and tokens spent in one clock hour (local time), over all runs of the project. */
export type BudgetState = {
  /** Clock hour as YYYYMMDDHH in local time; "" before the first call. */
  hour: string;
  /** Epoch ms at which that hour ends. */
  resets_at: number;
  calls: number;
  tokens: number;
  /**
   * By how many ms local time was ahead of UTC when the run began, so that every reader finds the same hours in its journal. Older
   * journals lack it: then the reader's own time zone counts.
   */
  utc_offset?: number;
};

/** The allowance of one clock hour; 0 tokens means no bound. */
export type BudgetLimits = { calls: number; tokens: number };

/** Whether a call is allowed now; if not, when (epoch ms), and which of the two budgets is used up. */
export type Allowance =
  | { allowed: true; resets_at: number }
  | { allowed: false; resets_at: number; why: "call_budget" | "token_budget" };

/** The budget before the first call. */
export function emptyBudget(): BudgetState {
  return { hour: "", resets_at: 0, calls: 0, tokens: 0 };
}

/**
 * What a new run takes over at `now` (epoch ms). The journal may have come with a clone: nothing below zero adds to a budget, and no hour
 * lasts longer than one.
 * @param utc_offset by how many ms local time is ahead of UTC now
 */
export function carriedBudget(
  { hour, resets_at, calls, tokens }: BudgetState,
  now: number,
  utc_offset: number,
): BudgetState {
  const end = Math.min(resets_at, now + HOUR_MS);
  return { hour, resets_at: end, calls: Math.max(0, calls), tokens: Math.max(0, tokens), utc_offset };
}

/** Adds spending at `at` (epoch ms) to its hour. */
export function charge(budget: BudgetState, at: number, spent: { calls: number; tokens: number }): BudgetState {
  const hour = hourOf(budget, at);
  return { ...hour, calls: hour.calls + spent.calls, tokens: hour.tokens + spent.tokens };
}

/** Refunds one reserved call: it met the provider's limit and counts against no bound (product.md "Limited"). */
export function refund(budget: BudgetState): BudgetState {
  return { ...budget, calls: Math.max(0, budget.calls - 1) };
}

/** What is spent of the hour of `now` (epoch ms): nothing once the hour of the newest call is over. */
export function spentInHour(
  { resets_at, calls, tokens }: BudgetState,
  now: number,
): Pick<BudgetState, "calls" | "tokens"> {
  return resets_at > now ? { calls, tokens } : { calls: 0, tokens: 0 };
}

/**
 * Whether the hour of `now` (epoch ms) has room for one more call. A call in an hour with tokens left may exceed them.
 */
export function nextAllowed(budget: BudgetState, limits: BudgetLimits, now: number): Allowance {
  const { calls, tokens, resets_at } = hourOf(budget, now);
  if (calls >= limits.calls) return { allowed: false, resets_at, why: "call_budget" };
  if (limits.tokens > 0 && tokens >= limits.tokens) return { allowed: false, resets_at, why: "token_budget" };
  return { allowed: true, resets_at };
}

/**
 * The hour that spending at `at` belongs to. An hour ends only when time passes its end: a clock that is set back stays
 * in the newest hour so far, and an hour repeated by daylight saving time counts as two.
 */
function hourOf(budget: BudgetState, at: number): BudgetState {
  if (!Number.isFinite(at) || (budget.hour !== "" && at < budget.resets_at)) return budget;
  const offset = budget.utc_offset ?? utcOffset(at);
  const localStart = Math.floor((at + offset) / HOUR_MS) * HOUR_MS;
  const hour = new Date(localStart).toISOString().replace(/[-T]/g, "").slice(0, 10);
  return { ...budget, hour, resets_at: localStart + HOUR_MS - offset, calls: 0, tokens: 0 };
}
