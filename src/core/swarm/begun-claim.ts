import type { TaskClaim } from "../fleet/claim.ts";
import type { WorkTask } from "../tasks/task-graph.ts";

/** What the claim of a worker that has begun will be: on a busy machine it takes seconds until it is seen. @param worker as claims name it */
export function begunClaim({ id, text }: WorkTask, worker: string): TaskClaim {
  const until = Number.POSITIVE_INFINITY;
  return { state: "claimed", task: id, text, worker: { name: worker }, until, tries: 0 };
}
