import { totalTokens } from "../journal/usage.ts";
import type { IterationReceipt } from "./report-types.ts";

/** The iterations between two ticks of the plan: the closest estimate of a task's cost that evidence gives. */
export type TaskReceipt = {
  /** Texts of the ticked boxes, if recorded. */
  tasks: string[];
  /** Boxes ticked; 0 for the work after the last tick. */
  boxes: number;
  first_iteration: number;
  last_iteration: number;
  iterations: number;
  wall_ms: number;
  tokens: number;
  cost_usd: number | null;
  lines_added: number;
  lines_removed: number;
};

/** Splits a run at the ticks of its plan. Empty for a run without a plan. */
export function taskReceipts(rows: readonly IterationReceipt[]): TaskReceipt[] {
  const tasks: TaskReceipt[] = [];
  let open: TaskReceipt | null = null;
  for (const row of rows) {
    open = withRow(open ?? emptyTask(row.number), row);
    if (row.plan_delta <= 0) continue;
    tasks.push({ ...open, tasks: row.ticked, boxes: row.plan_delta });
    open = null;
  }
  const planned = rows.some(({ plan }) => plan !== null && plan.total > 0);
  return planned ? [...tasks, ...(open === null ? [] : [open])] : [];
}

function withRow(task: TaskReceipt, row: IterationReceipt): TaskReceipt {
  const { cost_usd } = row.usage;
  return {
    ...task,
    last_iteration: row.number,
    iterations: task.iterations + 1,
    wall_ms: task.wall_ms + (row.wall_ms ?? 0),
    tokens: task.tokens + totalTokens(row.usage),
    cost_usd: cost_usd === null ? task.cost_usd : (task.cost_usd ?? 0) + cost_usd,
    lines_added: task.lines_added + row.lines_added,
    lines_removed: task.lines_removed + row.lines_removed,
  };
}

function emptyTask(number: number): TaskReceipt {
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
