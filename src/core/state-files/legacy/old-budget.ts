import { type BudgetState, charge, emptyBudget } from "../../stop/budget.ts";
import { parseCount } from "./old-json.ts";

/** A counter file's number; null if it has none. */
export function readCounter(text: string): number | null {
  return parseCount(text.trim());
}

/** The clock hour of `.last_reset`, YYYYMMDDHH; null if it is none. */
export function readHour(text: string): string | null {
  const hour = text.trim();
  return /^\d{10}$/u.test(hour) ? hour : null;
}

/**
 * The budget spent in the hour of `now` (epoch ms) according to counters of `hour`. Counters of a past hour are void,
 * as in the originals; an hour in the future comes from a wrong clock, and its calls count now.
 */
export function budgetFromCounters(hour: string | null, calls: number, tokens: number, now: number): BudgetState {
  if (hour === null) return emptyBudget();
  const spent = charge(emptyBudget(), now, { calls, tokens });
  return hour < spent.hour ? emptyBudget() : spent;
}
