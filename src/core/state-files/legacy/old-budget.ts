import { type BudgetState, charge, emptyBudget } from "../../stop/budget.ts";
import { parseCount } from "./old-json.ts";

/** A counter file's number; null if it holds none. */
export function readCounter(text: string): number | null {
  return parseCount(text.trim());
}

/** The clock hour of `.last_reset`, YYYYMMDDHH; null if it is none. */
export function readHour(text: string): string | null {
  const hour = text.trim();
  return /^\d{10}$/u.test(hour) ? hour : null;
}

/**
 * What was spent in the hour of `now` (epoch ms) by the counters of `hour`. An hour that is over spends nothing, as in
 * the originals; one that is still to come was written under a wrong clock, and its calls count in this one.
 */
export function budgetFromCounters(hour: string | null, calls: number, tokens: number, now: number): BudgetState {
  if (hour === null) return emptyBudget();
  const spent = charge(emptyBudget(), now, { calls, tokens });
  return hour < spent.hour ? emptyBudget() : spent;
}
