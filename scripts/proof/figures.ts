import type { Trial } from "./trial.ts";

/** A share with its 95 % interval (Wilson). */
export type Share = { count: number; of: number; share: number; low: number; high: number };

export type Figures = {
  runs: number;
  saidDone: number;
  trulyDone: number;
  falseDone: Share;
  falseStop: Share;
  /** Mean calls and money of a run. */
  calls: number;
  cost: number;
  /** All money spent by truly finished projects; null if there is none. */
  costPerDone: number | null;
  /** The same as a multiple of what a loop that sees the truth paid. */
  ratioToOracle: number | null;
  /** Means of a run: calls inside a limit that was told, and minutes in calls that had stopped. */
  callsInLimit: number;
  stalledMinutes: number;
  reasons: Record<string, number>;
};

const Z = 1.959964;

/** The interval of a share after E. B. Wilson (1927), which also holds for few or no hits. */
export function wilson(count: number, of: number): Share {
  if (of === 0) return { count, of, share: 0, low: 0, high: 1 };
  const p = count / of;
  const centre = (p + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const half = (Z / (1 + (Z * Z) / of)) * Math.sqrt((p * (1 - p)) / of + (Z * Z) / (4 * of * of));
  return { count, of, share: p, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** The figures of many runs. */
export function figuresOf(trials: readonly Trial[]): Figures {
  const sum = (value: (trial: Trial) => number) => trials.reduce((total, one) => total + value(one), 0);
  const countOf = (test: (trial: Trial) => boolean) => trials.filter(test).length;
  const trulyDone = countOf((one) => one.trulyDone && one.exitCode === 0);
  const oracles = trials.filter((one) => one.oracle.done);
  const oracleCost = oracles.reduce((total, one) => total + one.oracle.cost, 0) / Math.max(1, oracles.length);
  const costPerDone = trulyDone === 0 ? null : sum((one) => one.cost) / trulyDone;
  const reasons: Record<string, number> = {};
  for (const { reason } of trials) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    runs: trials.length,
    saidDone: countOf((one) => one.exitCode === 0),
    trulyDone,
    falseDone: wilson(
      countOf((one) => one.falseDone),
      trials.length,
    ),
    falseStop: wilson(
      countOf((one) => one.falseStop),
      trials.length,
    ),
    calls: sum((one) => one.calls) / Math.max(1, trials.length),
    cost: sum((one) => one.cost) / Math.max(1, trials.length),
    costPerDone,
    ratioToOracle: costPerDone === null || oracleCost === 0 ? null : costPerDone / oracleCost,
    callsInLimit: sum((one) => one.callsInLimit) / Math.max(1, trials.length),
    stalledMinutes: sum((one) => one.stalledMs) / 60_000 / Math.max(1, trials.length),
    reasons,
  };
}
