import type { State } from "../journal/state.ts";
import type { BoundSettings, SettingValues } from "./stop-reasons.ts";
import { BOUND_REASONS, headroomOf, isInTime, type ReachedEnd, reachedEnd } from "./stop-rule.ts";

/**
 * The bound of this run that is reached, the first in the order of the table; null if none is (product.md "Exit
 * codes").
 * @param now epoch ms
 */
export function reachedBound(state: State, settings: BoundSettings, now: number): ReachedEnd | null {
  for (const reason of BOUND_REASONS) {
    const end = reachedEnd(reason, state, settings, now);
    if (end !== null) return end;
  }
  return null;
}

/** What MAX_TIME leaves, in ms; Infinity without it. @param now epoch ms */
export function timeLeft(state: State, settings: BoundSettings, now: number): number {
  const { limit, used } = headroomOf("max_time", state, settings, now);
  return limit === 0 ? Number.POSITIVE_INFINITY : limit - used;
}

/** Epoch ms at which a time bound ends the run, and every wait with it; Infinity for none. */
export function deadline(state: State, settings: SettingValues): number {
  const started = Date.parse(state.started_at);
  const ends = BOUND_REASONS.filter(isInTime)
    .map((reason) => headroomOf(reason, state, settings, started).limit)
    .filter((limit) => limit > 0)
    .map((limit) => started + limit)
    .filter((end) => !Number.isNaN(end));
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}
