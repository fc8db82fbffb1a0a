import { type BudgetState, charge } from "../stop/budget.ts";

/** `.call_count`, `.token_count` and `.last_reset` (the clock hour, YYYYMMDDHH) as they are at `now` (epoch ms). */
export function counterFiles(
  budget: BudgetState,
  now: number,
): { ".call_count": string; ".token_count": string; ".last_reset": string } {
  const hour = charge(budget, now, { calls: 0, tokens: 0 });
  return { ".call_count": `${hour.calls}\n`, ".token_count": `${hour.tokens}\n`, ".last_reset": `${hour.hour}\n` };
}
