import { MINUTE_MS } from "../../core/durations.ts";
import type { State } from "../../core/journal/state.ts";
import { noFailures } from "../../core/stop/failure-backoff.ts";
import { shareUsed, tightestLimits } from "../../core/stop/limit-headroom.ts";
import type { CountedReason, SettingValues, StopRule, Unit } from "../../core/stop/stop-reasons.ts";
import { BOUND_REASONS, type LimitHeadroom, limitOf, stopRule, thresholdOf } from "../../core/stop/stop-rule.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { localMinute } from "../../core/text/time-text.ts";
import { duration, elapsed, tokenCount, tokens } from "../text/figures.ts";

const SHARE_TO_WARN = 0.8;

type UnitWords = {
  figure: (n: number) => string;
  /** The limit in the words of a run's start. */
  bound: (limit: number, rule: StopRule) => string;
  headroom: (used: number, limit: number, rule: StopRule) => string;
};

const UNITS: Readonly<Record<Exclude<Unit, "clock">, UnitWords>> = {
  count: {
    figure: String,
    bound: (limit, { one, label }) => count(limit, one ?? label, label),
    headroom: (used, limit, { label }) => `${label} ${used}/${limit}`,
  },
  usd: {
    figure: money,
    bound: (limit, rule) => `${money(limit)}${each(rule)}`,
    headroom: (used, limit, rule) => `${money(used)} of ${money(limit).replace(/\.00$/, "")}${each(rule)}`,
  },
  tokens: {
    figure: tokens,
    bound: tokenCount,
    headroom: (used, limit) => `${tokens(used)} of ${tokenCount(limit).replace(".0", "")}`,
  },
  duration: { figure: duration, bound: duration, headroom: (used, limit) => `${soFar(used)} of ${duration(limit)}` },
};

/** Formats a single figure of a rule; null for a time of day, which is never used in part. */
export function ruleFigure({ unit }: StopRule): ((n: number) => string) | null {
  return unit === "clock" ? null : UNITS[unit].figure;
}

/** The bounds of a new run: `8 iterations`, `$5.00`, `2 h`, `until 07:00`. */
export function boundTexts(settings: SettingValues): string[] {
  return BOUND_REASONS.flatMap((reason) => {
    const rule = stopRule(reason);
    if (rule.unit === "clock") return clockTexts(rule, settings);
    const limit = limitOf(reason, settings, { started_at: "", more_iterations: 0, failures: noFailures() });
    return limit === 0 ? [] : [UNITS[rule.unit].bound(limit, rule)];
  });
}

/**
 * How near a limit is, as short as possible: `idle 1/3`, `iterations 12/50`, `$3.10 of $5`, `6 h 12 min of 8 h`, `until
 * 07:00`.
 * @param startedAt ISO time of the run's start
 */
export function headroomText({ reason, used, limit }: LimitHeadroom, startedAt: string): string {
  const rule = stopRule(reason);
  if (rule.unit === "clock") return `${rule.label} ${localMinute(Date.parse(startedAt) + limit)}`;
  return UNITS[rule.unit].headroom(used, limit, rule);
}

/**
 * The limits that would stop the run, the nearest first: `idle 1/3`, `iterations 48/50`. `isNear` means that most of
 * the way to it is used up.
 */
export function describeHeadroom(
  state: State,
  now: number,
): { reason: CountedReason; text: string; isNear: boolean }[] {
  return tightestLimits(state, now).map((stop) => ({
    reason: stop.reason,
    text: headroomText(stop, state.started_at),
    isNear: shareUsed(stop) >= SHARE_TO_WARN,
  }));
}

function clockTexts(rule: StopRule, settings: SettingValues): string[] {
  const time = thresholdOf(rule, settings);
  return typeof time === "string" ? [`${rule.label} ${time}`] : [];
}

/** Beside a bound of the run, one of a task or a day would pass for it. */
function each({ per }: StopRule): string {
  return per === undefined ? "" : ` a ${per}`;
}

/** Whole minutes as soon as there are two: a limit is nothing to watch by the second. */
function soFar(ms: number): string {
  return ms < 2 * MINUTE_MS ? elapsed(ms) : duration(Math.floor(ms / MINUTE_MS) * MINUTE_MS);
}
