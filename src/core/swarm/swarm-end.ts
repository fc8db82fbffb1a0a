import type { TaskClaim } from "../fleet/claim.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { WorkTask } from "../tasks/task-graph.ts";

/** Why a swarm ends, or a worker of it. */
export type SwarmEnd = { reason: StopReason; sentence: string };

type Standstill = {
  tasks: readonly WorkTask[];
  claims: ReadonlyMap<string, TaskClaim>;
  /** The first worker's end, if none takes any more. */
  failed: SwarmEnd | null;
  /** What the newest landing left, and why. */
  left: readonly { name: string; why: string }[];
};

/** The end of a swarm in which nobody is at work, and nobody can begin. */
export function swarmEnd({ tasks, claims, failed, left }: Standstill): SwarmEnd {
  const back = tasks.filter(({ done, held }) => !done && held !== undefined).length;
  const open = tasks.filter(({ done, held }) => !done && held === undefined);
  const count = tasks.length - back;
  const rest = back === 0 ? "" : ` The list keeps back ${back === 1 ? "one" : back}.`;
  if (open.length === 0) return { reason: "plan_complete", sentence: `All ${count} tasks are done and landed.${rest}` };
  if (failed !== null) return failed;
  const parked = open.filter(({ id }) => claims.get(id)?.state === "parked");
  if (parked.length > 0)
    return {
      reason: "waits_for_answer",
      sentence: `${parked.length} of ${open.length} open tasks wait for a person's answer.`,
    };
  const are = open.length === 1 ? "One task is" : `${open.length} tasks are`;
  const why = left.map(({ name, why }) => `${name}: ${why}`).join("; ");
  return { reason: "not_all_landed", sentence: `${are} not landed${why === "" ? "" : `: ${why}`}.` };
}
