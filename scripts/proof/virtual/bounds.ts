import { PERSONAS, type PersonaName } from "../persona.ts";
import { settingsOf, USUAL } from "../policies.ts";
import type { TrialSpec } from "../trial.ts";
import { trials } from "../trials.ts";

/** How far runs went over a bound of money, in USD: it is known what a call cost only after it. */
export type BoundRow = {
  persona: PersonaName;
  bound: number;
  runs: number;
  /** Runs that ended at the bound. */
  stopped: number;
  /** Of those, the mean and the most. */
  meanOver: number;
  mostOver: number;
};

/** How long it takes to notice a call that has stopped to do anything. */
export type Stalls = { calls: number; meanMinutes: number };

const BOUNDS: readonly (readonly [PersonaName, number])[] = [
  ["weak", 1],
  ["weak", 5],
  ["flaky", 1],
  ["flaky", 5],
];
/** So many that each run comes to its bound. */
export const BOUND_TASKS = 30;

/** @param runs seeds of each row */
export async function boundRows(runs: number): Promise<BoundRow[]> {
  const rows: BoundRow[] = [];
  for (const [persona, bound] of BOUNDS) {
    const all = await trials(specOf(persona, BOUND_TASKS, { MAX_COST_USD: bound }), runs);
    const over = all.filter(({ reason }) => reason === "max_cost").map(({ cost }) => Math.max(0, cost - bound));
    const meanOver = over.reduce((sum, one) => sum + one, 0) / Math.max(1, over.length);
    rows.push({ persona, bound, runs, stopped: over.length, meanOver, mostOver: Math.max(0, ...over) });
  }
  return rows;
}

/** @param runs seeds */
export async function stalls(runs: number): Promise<Stalls> {
  const all = await trials(specOf("hanger", 6, {}), runs);
  const calls = all.reduce((sum, one) => sum + one.stalls, 0);
  const ms = all.reduce((sum, one) => sum + one.stalledMs, 0);
  return { calls, meanMinutes: ms / 60_000 / Math.max(1, calls) };
}

function specOf(persona: PersonaName, tasks: number, more: TrialSpec["settings"]): TrialSpec {
  const settings = { ...settingsOf(USUAL), ...more };
  return { persona: PERSONAS[persona], shape: { tasks, gap: 0 }, gate: "accepts", hasPlan: true, settings };
}
