import type { State } from "../journal/state.ts";
import {
  type BoundReason,
  type CountedReason,
  type RunBegin,
  type SettingValues,
  STOP_REASONS,
  type StopReason,
  type StopRule,
} from "./stop-reasons.ts";

/** How near a run is to one of the reasons that could end it; times in ms, money in USD, the rest as counts. */
export type LimitHeadroom = { reason: CountedReason; used: number; limit: number };

export type ReachedEnd = { reason: StopReason; sentence: string };

const REASONS = Object.keys(STOP_REASONS) as readonly StopReason[];

/** The ends caused by a count, in the order of the table. */
export const COUNTED_REASONS = REASONS.filter(isCounted);

/** The bounds that the user sets, in the order of the checks. */
export const BOUND_REASONS = COUNTED_REASONS.filter(isBound);

/** Whether the end is caused by a count. */
export function isCounted(reason: StopReason): reason is CountedReason {
  return "rule" in STOP_REASONS[reason];
}

/** Whether the reason is a bound that the user sets. */
export function isBound(reason: StopReason): reason is BoundReason {
  return STOP_REASONS[reason].action === "bound_reached";
}

/** Whether the limit is a time, which a wait can reach too. */
export function isInTime(reason: CountedReason): boolean {
  return ["duration", "clock"].includes(STOP_REASONS[reason].rule.unit);
}

/** The rule of a row, as the general type. */
export function stopRule(reason: CountedReason): StopRule {
  return STOP_REASONS[reason].rule;
}

/**
 * The count and the limit of a rule; a limit of 0 is none.
 * @param settings of the run, or those in its state
 * @param now epoch ms
 */
export function headroomOf(reason: CountedReason, state: State, settings: SettingValues, now: number): LimitHeadroom {
  return { reason, used: stopRule(reason).used(state, now), limit: limitOf(reason, settings, state) };
}

/** The limit of a rule; 0 for none. */
export function limitOf(reason: CountedReason, settings: SettingValues, run: RunBegin): number {
  const rule = stopRule(reason);
  const threshold = thresholdOf(rule, settings);
  const limit = rule.limit === undefined ? threshold : rule.limit(threshold, run);
  return typeof limit === "number" && limit > 0 ? limit : 0;
}

/** How many iterations a run itself may have: without those of a run that broke off and that it goes on with; 0 for no bound. */
export function iterationsAllowed(state: State): number {
  const limit = limitOf("max_iterations", state.settings, state);
  return limit === 0 ? 0 : limit - state.earlier.iterations;
}

/** The end that a rule causes, or null until then. */
export function reachedEnd(
  reason: CountedReason,
  state: State,
  settings: SettingValues,
  now: number,
): ReachedEnd | null {
  const rule = stopRule(reason);
  if (rule.sparesOpenIteration === true && state.open !== null) return null;
  const { used, limit } = headroomOf(reason, state, settings, now);
  if (limit === 0 || !(used >= limit)) return null;
  const sentence = rule.sentence?.({ used, limit, threshold: thresholdOf(rule, settings), state }) ?? null;
  return { reason, sentence: sentence ?? STOP_REASONS[reason].text };
}

/**
 * Whether a plain count has reached its threshold; 0 switches it off.
 * @param state the part that the rule reads
 */
export function isOver<Counted>(
  rule: Pick<StopRule, "threshold"> & { used: (state: Counted) => number },
  state: Counted,
  settings: SettingValues,
): boolean {
  const threshold = thresholdOf(rule, settings);
  return typeof threshold === "number" && threshold > 0 && rule.used(state) >= threshold;
}

/** The limit from the settings or from ralph itself, in the setting's own unit. */
export function thresholdOf({ threshold }: Pick<StopRule, "threshold">, settings: SettingValues): unknown {
  return typeof threshold === "number" ? threshold : settings[threshold];
}
