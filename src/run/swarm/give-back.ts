/** The task that a worker had which ended: others take it, with all that was left of it. */
import type { TaskClaim } from "../../core/fleet/claim.ts";
import { warning } from "../../core/journal/warning.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { WorkTask } from "../../core/tasks/task-graph.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import { settle } from "./plan-and-claims.ts";
import type { Swarm } from "./swarm-context.ts";

/** Gives a task back that its worker still claims. Where its work is on two branches, a person is asked. */
export async function giveBack(
  at: Swarm,
  worker: SwarmWorker,
  task: Pick<WorkTask, "id" | "text">,
  { id, claim }: { id: string; claim: TaskClaim },
): Promise<void> {
  const why = await leave(at, worker, task, true);
  const { text, worker: its, tries } = claim;
  await settle(
    at,
    task.id,
    id,
    why === null ? null : { state: "parked", task: task.id, text, worker: its, tries, branch: null, why },
  );
}

/** A branch that is checked out can be checked out by no other worker. @returns why a person has to look; null if nobody has to */
export async function leave(
  { run, options }: Swarm,
  worker: SwarmWorker,
  task: Pick<WorkTask, "id" | "text">,
  isHeld: boolean,
): Promise<string | null> {
  try {
    return await options.yard.leave(worker, task, isHeld);
  } catch (error) {
    const text = `What ${worker.name} left of its task may still be in its worktree alone: ${reasonOf(error)}`;
    run.append(warning(text));
    return null;
  }
}
