import { HOUR_MS } from "../durations.ts";
import type { State } from "../journal/state.ts";
import { MAX_FAILURE_BACKOFF_MS } from "../stop/failure-backoff.ts";
import { MAX_BACKOFF_MS } from "../stop/usage-limit.ts";

/**
 * The state with no wait of ralph's own farther away than its longest: a clock that was set back by hours must extend none of them. A
 * provider's stated time stays as it is.
 * @param at what the clock shows, in epoch ms
 */
export function nearWaits(state: State, at: number): State {
  const { failures, limit, last, budget } = state;
  const within = (until: number | null, ms: number) => (until === null ? null : Math.min(until, at + ms));
  return {
    ...state,
    failures: { ...failures, until: within(failures.until, MAX_FAILURE_BACKOFF_MS) },
    limit: limit?.resets_at === null ? { ...limit, until: within(limit.until, MAX_BACKOFF_MS) } : limit,
    // The pause after an idle answer counts from its end.
    last: last === null || Date.parse(last.at) <= at ? last : { ...last, at: new Date(at).toISOString() },
    budget: { ...budget, resets_at: Math.min(budget.resets_at, at + HOUR_MS) },
  };
}
