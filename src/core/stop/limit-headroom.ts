import type { State } from "../journal/state.ts";
import { type CountedReason, STOP_REASONS } from "./stop-reasons.ts";
import { BOUND_REASONS, COUNTED_REASONS, headroomOf, isBound, type LimitHeadroom, stopRule } from "./stop-rule.ts";

const THRESHOLD_REASONS = COUNTED_REASONS.filter((reason) => !isBound(reason));

/**
 * The nearest limits of the run: among active counters the one nearest to its threshold, and among bounds the one
 * nearest to its end; the nearer of the two first. Empty without counters and bounds.
 * @param now epoch ms
 */
export function tightestLimits(state: State, now: number): LimitHeadroom[] {
  if (state.run === "" || state.finished !== null) return [];
  const headrooms = (reasons: readonly CountedReason[]) =>
    reasons.map((reason) => headroomOf(reason, state, state.settings, now));
  const counting = headrooms(THRESHOLD_REASONS.filter((reason) => counts(reason, state))).filter(
    ({ used }) => used > 0,
  );
  return [tightest(counting), tightest(headrooms(BOUND_REASONS))]
    .filter((headroom) => headroom !== null)
    .toSorted((a, b) => shareUsed(b) - shareUsed(a));
}

/** The used share of a limit, from 0 to 1. */
export function shareUsed({ used, limit }: LimitHeadroom): number {
  return Math.min(1, Math.max(0, used / limit));
}

function tightest(headrooms: readonly LimitHeadroom[]): LimitHeadroom | null {
  return headrooms
    .filter(({ limit }) => limit > 0)
    .reduce<LimitHeadroom | null>(
      (best, next) => (best === null || shareUsed(next) > shareUsed(best) ? next : best),
      null,
    );
}

function counts(reason: CountedReason, { settings, held }: State): boolean {
  // The objections to the last claim also hold against the next one.
  if (STOP_REASONS[reason].status === "completed" && held.disputed + held.gated > 0) return false;
  return stopRule(reason).applies?.(settings) ?? true;
}
