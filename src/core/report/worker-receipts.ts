import type { EventOf, RalphEvent } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { addCost, totalTokens } from "../journal/usage.ts";
import { elapsedMs } from "./report-time.ts";
import { emptyTask, type TaskReceipt } from "./task-receipts.ts";

/** Collects what workers of a swarm did, from the journal of its own run, and which branches a landing took. */
export type WorkerReceipts = {
  take(event: RalphEvent): void;
  /** One for each task that a worker gave back or that landed; a box is ticked once it landed. */
  tasks(): TaskReceipt[];
};

export function createWorkerReceipts(): WorkerReceipts {
  /** By task; by branch, where it has none. */
  const found = new Map<string, TaskReceipt>();
  const claimed = new Map<string, EventOf<"task_claimed">>();
  /** Words of tasks that workers had whom an earlier swarm left. How long they worked is not known. */
  const left = new Map<string, string>();

  function release({ task, at, spent }: EventOf<"task_released">): void {
    if (spent === undefined) return;
    const claim = claimed.get(task);
    const before = found.get(task) ?? { ...emptyTask(0), tasks: [claim?.text ?? left.get(task) ?? task] };
    found.set(task, {
      ...before,
      iterations: before.iterations + spent.iterations,
      wall_ms: before.wall_ms + (claim === undefined ? 0 : elapsedMs(claim.at, at)),
      tokens: before.tokens + totalTokens(spent.usage),
      ...addCost(before, spent.usage),
    });
  }

  function land({ branches }: EventOf<"landed">): void {
    for (const { name, task, text } of branches) {
      const before = found.get(task ?? name) ?? { ...emptyTask(0), tasks: [text ?? name] };
      found.set(task ?? name, { ...before, boxes: 1 });
    }
  }

  return {
    take(event) {
      if (event.type === "run_started") {
        const { left_at_work = [] }: Partial<State> = event.state;
        for (const { task, text } of left_at_work) left.set(task, text);
      }
      if (event.type === "task_claimed") claimed.set(event.task, event);
      if (event.type === "task_released") release(event);
      if (event.type === "landed") land(event);
    },
    tasks: () => [...found.values()],
  };
}
