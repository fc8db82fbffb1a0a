import type { State } from "../journal/state.ts";
import { count } from "../text/count.ts";
import { money } from "../text/money.ts";

/** What it took from one tick of the plan to the next, which may tick several boxes. */
export type TaskPace = {
  /** USD, estimates included; null if unknown. */
  usd: number | null;
  /** Time of its iterations, without waits. */
  ms: number;
  boxes: number;
};

/** The middle of what is likely, and the end of the range that holds in nine of ten cases; `low` in one of ten. */
export type Range = { low: number; p50: number; p90: number };

/** How a run will probably end: totals from its beginning. */
export type Forecast = {
  /** Tasks that were open, and how many finished ones it is drawn from. */
  tasks_left: number;
  from_tasks: number;
  usd: Range | null;
  ms: Range;
};

const MOST_PACES = 40;
/** Fewer say nothing about the spread. */
const LEAST_PACES = 4;
/** z of the 90th percentile of a normal distribution. */
const Z90 = 1.281552;
/**
 * What is assumed of the spread before anything is seen, worth three tasks: a standard deviation as large as the mean. Chosen
 * so that the range holds for 70 to 90 % of simulated runs (tests/proof/forecast.test.ts).
 */
const PRIOR = { cv: 0.9, weight: 3 };

/** The paces after an iteration that ticked boxes; the newest 40. */
export function addPace(paces: readonly TaskPace[], pace: TaskPace): TaskPace[] {
  return [...paces, pace].slice(-MOST_PACES);
}

/** The forecast of the run as it stands; null without open tasks or with too few finished ones. */
export function forecastOf(state: Pick<State, "paces" | "plan" | "usage" | "work_ms">): Forecast | null {
  const left = state.plan?.blocking_unchecked ?? 0;
  const { paces } = state;
  if (left === 0 || paces.length < LEAST_PACES) return null;
  const paid = paces.flatMap(({ usd, boxes }) => (usd === null ? [] : [{ amount: usd, boxes }]));
  const spent = (state.usage.cost_usd ?? 0) + (state.usage.estimated_usd ?? 0);
  return {
    tasks_left: left,
    from_tasks: paces.length,
    usd:
      paid.length < LEAST_PACES || paid.every(({ amount }) => amount === 0)
        ? null
        : plus(rangeOfSum(paid, left), spent),
    ms: plus(
      rangeOfSum(
        paces.map(({ ms, boxes }) => ({ amount: ms, boxes })),
        left,
      ),
      state.work_ms,
    ),
  };
}

/**
 * The sentence of the alarm, when what is now likely lies beyond the range of the run's own forecast; null while it holds.
 * @param now the forecast as it stands
 */
export function leavesForecast(before: Forecast, now: Forecast): string | null {
  const usd = before.usd !== null && now.usd !== null && now.usd.p50 > before.usd.p90;
  // Beyond it by less than the sentence shows is no news.
  const late = now.ms.p50 > before.ms.p90 && hours(now.ms.p50) !== hours(before.ms.p90);
  if (!usd && !late) return null;
  const tasks = count(now.tasks_left, "task");
  const what =
    usd && before.usd !== null && now.usd !== null
      ? `cost about ${money(now.usd.p50)}; it was forecast at ${money(before.usd.p50)}, at most ${money(before.usd.p90)}`
      : `work about ${hours(now.ms.p50)}; it was forecast at ${hours(before.ms.p50)}, at most ${hours(before.ms.p90)}`;
  return `With ${tasks} left this run will ${what}.`;
}

function hours(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The range of what `n` further boxes take. The variance is that of their sum and that of the mean's own uncertainty; sums of
 * costs lean to the right, so a log-normal distribution with this mean and variance gives the percentiles.
 */
function rangeOfSum(paces: readonly { amount: number; boxes: number }[], n: number): Range {
  const boxes = paces.reduce((sum, pace) => sum + pace.boxes, 0);
  const mean = paces.reduce((sum, pace) => sum + pace.amount, 0) / boxes;
  if (mean === 0) return { low: 0, p50: 0, p90: 0 };
  const squares = paces.reduce((sum, pace) => sum + (pace.amount - pace.boxes * mean) ** 2 / pace.boxes, 0);
  const variance = (squares + PRIOR.weight * (PRIOR.cv * mean) ** 2) / (paces.length - 1 + PRIOR.weight);
  const total = n * mean;
  const spread = (n * variance + (n * n * variance) / paces.length) / total ** 2;
  const sigma = Math.sqrt(Math.log(1 + spread));
  const median = total / Math.sqrt(1 + spread);
  return { low: median * Math.exp(-Z90 * sigma), p50: median, p90: median * Math.exp(Z90 * sigma) };
}

function plus({ low, p50, p90 }: Range, spent: number): Range {
  return { low: low + spent, p50: p50 + spent, p90: p90 + spent };
}
