/** Which task a worker takes next, of those that several workers share. */
import type { TaskGraph, WorkTask } from "../tasks/task-graph.ts";
import { isTakeable, type TaskClaim } from "./claim.ts";
import { fromShard, type Shard } from "./shard.ts";

export type NextTask =
  /** `builtOn`: branches of the tasks that it waits for, where those are not landed. */
  | { do: "work"; task: WorkTask; builtOn: string[] }
  /** Others are at work: what they have may come free, or let another begin. */
  | { do: "wait"; claimed: number }
  | { do: "end"; left: TasksLeft };

/** Why nothing is left to take: handed in and not landed, waiting for a person, or waiting for one of those. */
export type TasksLeft = { handedIn: number; parked: number; waiting: number };

type Asked = {
  claims: ReadonlyMap<string, TaskClaim>;
  shard: Shard;
  /** Whether a task may build on work that is handed in and not landed: where nobody lands meanwhile. */
  stacks: boolean;
  /** The worker's name: its own claim is that of a life before a crash. */
  worker: string;
  /** Epoch ms. */
  now: number;
};

/**
 * Takes what is its own first: what it had before a crash, and work of its own that came back, whose conversation it has. Then the first from its place in the plan on that is free and waits for nothing that is not done or handed
 * in; so a worker without work takes what lies in the parts of others.
 */
export function nextTask({ tasks }: TaskGraph, { claims, shard, stacks, worker, now }: Asked): NextTask {
  const open = tasks.filter(({ done, held }) => !done && held === undefined);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const handedIn = (id: string) => claims.get(id)?.state === "handed_in";
  const isFree = (task: WorkTask) => task.after.every((id) => byId.get(id)?.done !== false || (stacks && handedIn(id)));
  const isOwn = (task: WorkTask, state: TaskClaim["state"]) => {
    const claim = claims.get(task.id);
    return claim?.state === state && claim.worker.name === worker;
  };
  const own = open.find((task) => isOwn(task, "claimed")) ?? open.find((task) => isOwn(task, "returned"));
  const ordered = [...open.filter(({ optional }) => !optional), ...open.filter(({ optional }) => optional)];
  const takeable = (task: WorkTask) => isFree(task) && isTakeable(claims.get(task.id) ?? null, now);
  const task = own ?? fromShard(ordered, shard).find(takeable);
  if (task !== undefined) return { do: "work", task, builtOn: task.after.flatMap((id) => branchIn(claims.get(id))) };
  const states = open.map(({ id }) => {
    const claim = claims.get(id) ?? null;
    return claim === null || isTakeable(claim, now) ? "none" : claim.state;
  });
  const claimed = states.filter((state) => state === "claimed").length;
  if (claimed > 0) return { do: "wait", claimed };
  const of = (state: string) => states.filter((one) => one === state).length;
  const [done, parked] = [of("handed_in"), of("parked")];
  return { do: "end", left: { handedIn: done, parked, waiting: open.length - done - parked } };
}

function branchIn(claim: TaskClaim | undefined): string[] {
  return claim?.state === "handed_in" ? [claim.branch] : [];
}

/** @returns the sentence for the end of a worker's work */
export function describeLeft({ handedIn, parked, waiting }: TasksLeft): string {
  const parts = [
    ...(handedIn > 0 ? [`${tasks(handedIn)} handed in, to be landed with \`ralph land\``] : []),
    ...(parked > 0 ? [`${tasks(parked)} that a person has to look at`] : []),
    ...(waiting > 0 ? [`${tasks(waiting)} waiting for ${parked > 0 ? "those" : "others"}`] : []),
  ];
  return parts.length === 0 ? "Every task is done." : `Nothing is left for this worker: ${parts.join(", ")}.`;
}

function tasks(n: number): string {
  return n === 1 ? "one task" : `${n} tasks`;
}
