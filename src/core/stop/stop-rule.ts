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

/** How near a run is to one of the reasons that could end it; times in ms, money in USD, the rest counted. */
export type LimitHeadroom = { reason: CountedReason; used: number; limit: number };

export type ReachedEnd = { reason: StopReason; sentence: string };

const REASONS = Object.keys(STOP_REASONS) as readonly StopReason[];

/** The ends that a count brings about, in the order of the table. */
export const COUNTED_REASONS = REASONS.filter((reason): reason is CountedReason => "rule" in STOP_REASONS[reason]);

/** The bounds that the user sets, in the order in which they are checked. */
export const BOUND_REASONS = COUNTED_REASONS.filter(isBound);

/** Whether the user sets this bound. */
export function isBound(reason: StopReason): reason is BoundReason {
  return STOP_REASONS[reason].action === "bound_reached";
}

/** Whether the limit is a time: then a wait may reach it, too. */
export function isInTime(reason: CountedReason): boolean {
  return ["duration", "clock"].includes(STOP_REASONS[reason].rule.unit);
}

/** The rule of a row, as its general type. */
export function stopRule(reason: CountedReason): StopRule {
  return STOP_REASONS[reason].rule;
}

/**
 * How far a rule has counted, and to where; a limit of 0 is none.
 * @param settings of the run, or those in its state
 * @param now epoch ms
 */
export function headroomOf(reason: CountedReason, state: State, settings: SettingValues, now: number): LimitHeadroom {
  return { reason, used: stopRule(reason).used(state, now), limit: limitOf(reason, settings, state) };
}

/** To where a rule counts; 0 for no limit. */
export function limitOf(reason: CountedReason, settings: SettingValues, run: RunBegin): number {
  const rule = stopRule(reason);
  const threshold = thresholdOf(rule, settings);
  const limit = rule.limit === undefined ? threshold : rule.limit(threshold, run);
  return typeof limit === "number" && limit > 0 ? limit : 0;
}

/** The end that a rule brings about, or null as long as it does not. */
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

/** Whether a plain count has come to its threshold; one of 0 is off. @param state as much of it as the rule looks at */
export function isOver<Counted>(
  rule: Pick<StopRule, "threshold"> & { used: (state: Counted) => number },
  state: Counted,
  settings: SettingValues,
): boolean {
  const threshold = thresholdOf(rule, settings);
  return typeof threshold === "number" && threshold > 0 && rule.used(state) >= threshold;
}

/** What the settings, or ralph itself, say of a limit, in the setting's own measure. */
export function thresholdOf({ threshold }: Pick<StopRule, "threshold">, settings: SettingValues): unknown {
  return typeof threshold === "number" ? threshold : settings[threshold];
}
