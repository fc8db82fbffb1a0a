import type { ParsedPlan, PlanCounts } from "../../../core/plan/fix-plan.ts";
import { splitAtTicks } from "../../../core/report/task-receipts.ts";
import type { Dashboard, Row } from "../model.ts";

/** The iterations between two ticks: what a task took, as closely as evidence tells. */
export type TaskWork = {
  rows: readonly Row[];
  ms: number;
  tokens: number;
  /** In USD; null if no iteration knows its own. */
  cost: number | null;
  /** How many other tasks the same iteration ticked: they share these figures. */
  others: number;
};

/** A task of a run's plan. `work` is null where this run did none, or the journal does not tell which. */
export type PlanEntry = {
  text: string;
  state: "done" | "current" | "open";
  section: string | null;
  optional: boolean;
  /** From 1; null if only the journal knows the task. */
  line: number | null;
  work: TaskWork | null;
};

/** A run's tasks. `unknown`: how many more there are whose names the journal does not hold. */
export type RunPlan = { counts: PlanCounts; entries: PlanEntry[]; unknown: { done: number; open: number } };

/**
 * The plan of a run: as its file has it, or, where that says nothing about this run, as the run's journal does.
 * @param file today's plan; null if it is not the run's, as in a replay
 * @returns null for a run without a plan
 */
export function runPlan(dashboard: Dashboard, file: ParsedPlan | null): RunPlan | null {
  const counts = dashboard.state.plan;
  if (counts === null || counts.total === 0) return null;
  const work = taskWork(dashboard.rows);
  const plan = file !== null && isOfRun(dashboard, file) ? file : null;
  return plan === null ? fromJournal(dashboard, counts, work) : fromFile(plan, work);
}

/** A plan file may have changed since its run ended: then its tasks are another run's. */
function isOfRun({ state: { finished, plan: counts }, rows }: Dashboard, file: ParsedPlan): boolean {
  if (finished === null) return true;
  const open = new Set(file.tasks.map(({ text }) => text));
  const isSame = counts?.checked === file.counts.checked && counts?.unchecked === file.counts.unchecked;
  return isSame && rows.every(({ ticked }) => ticked.every((text) => !open.has(text)));
}

type Work = { done: Map<string, TaskWork>; now: TaskWork | null };

function taskWork(rows: readonly Row[]): Work {
  const done = new Map<string, TaskWork>();
  let now: TaskWork | null = null;
  for (const part of splitAtTicks(rows)) {
    const last = part.at(-1);
    const isTick = last !== undefined && last.plan_delta > 0;
    const work = sum(part, isTick ? last.plan_delta - 1 : 0);
    if (!isTick) now = work;
    else for (const text of last.ticked) done.set(text, work);
  }
  return { done, now };
}

function sum(rows: readonly Row[], others: number): TaskWork {
  const costs = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const total = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    rows,
    ms: total(rows.map(({ ms }) => ms)),
    tokens: total(rows.map(({ tokens }) => tokens)),
    cost: costs.length === 0 ? null : total(costs),
    others,
  };
}

function fromFile(plan: ParsedPlan, work: Work): RunPlan {
  const current = plan.tasks[0]?.line;
  const entries = plan.boxes.map(({ text, isDone, section, optional, line }): PlanEntry => {
    const state = isDone ? "done" : line === current ? "current" : "open";
    const did = isDone ? work.done.get(text) : state === "current" ? work.now : null;
    return { text, state, section, optional, line, work: did ?? null };
  });
  return { counts: plan.counts, entries, unknown: { done: 0, open: 0 } };
}

function fromJournal({ atHand }: Dashboard, counts: PlanCounts, work: Work): RunPlan {
  const entry = (text: string, state: PlanEntry["state"], did: TaskWork | null): PlanEntry => ({
    text,
    state,
    section: null,
    optional: false,
    line: null,
    work: did,
  });
  const done = [...work.done].map(([text, did]) => entry(text, "done", did));
  const current = atHand !== null && counts.unchecked > 0 && !work.done.has(atHand);
  return {
    counts,
    entries: [...done, ...(current ? [entry(atHand, "current", work.now)] : [])],
    unknown: {
      done: Math.max(0, counts.checked - done.length),
      open: Math.max(0, counts.unchecked - (current ? 1 : 0)),
    },
  };
}
