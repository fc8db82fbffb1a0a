import { addCost, type Cost, totalTokens } from "../journal/usage.ts";
import type { IterationReceipt } from "./report-types.ts";

/** The iterations between two ticks of the plan: the closest estimate of a task's cost that evidence gives. */
export type TaskReceipt = Cost & {
  /** Texts of the ticked boxes, if recorded. */
  tasks: string[];
  /** Boxes ticked; 0 for the work after the last tick. */
  boxes: number;
  /** 0 for a task of a swarm's worker, whose iterations are in a journal of its own. */
  first_iteration: number;
  last_iteration: number;
  iterations: number;
  wall_ms: number;
  tokens: number;
  lines_added: number;
  lines_removed: number;
};

/** Splits a run at the ticks of its plan. Empty for a run without a plan. */
export function taskReceipts(rows: readonly IterationReceipt[]): TaskReceipt[] {
  if (!rows.some(({ plan }) => plan !== null && plan.total > 0)) return [];
  return splitAtTicks(rows).map((part) => {
    const [first, last] = [part[0], part.at(-1)];
    const sum = part.reduce(withRow, emptyTask(first?.number ?? 0));
    return last === undefined || last.plan_delta <= 0 ? sum : { ...sum, tasks: last.ticked, boxes: last.plan_delta };
  });
}

/** The iterations of each tick: all up to the one that ticked boxes; after the last tick, those of the work since. */
export function splitAtTicks<T extends { plan_delta: number }>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  let open: T[] = [];
  for (const row of rows) {
    open.push(row);
    if (row.plan_delta <= 0) continue;
    parts.push(open);
    open = [];
  }
  return open.length === 0 ? parts : [...parts, open];
}

function withRow(task: TaskReceipt, row: IterationReceipt): TaskReceipt {
  return {
    ...task,
    last_iteration: row.number,
    iterations: task.iterations + 1,
    wall_ms: task.wall_ms + (row.wall_ms ?? 0),
    tokens: task.tokens + totalTokens(row.usage),
    ...addCost(task, row.usage),
    lines_added: task.lines_added + row.lines_added,
    lines_removed: task.lines_removed + row.lines_removed,
  };
}

/** The receipt of a task before its first iteration. */
export function emptyTask(number: number): TaskReceipt {
  return {
    tasks: [],
    boxes: 0,
    first_iteration: number,
    last_iteration: number,
    iterations: 0,
    wall_ms: 0,
    tokens: 0,
    cost_usd: null,
    lines_added: 0,
    lines_removed: 0,
  };
}
