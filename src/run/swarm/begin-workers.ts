import type { TaskClaim } from "../../core/fleet/claim.ts";
import { nextTask } from "../../core/fleet/next-task.ts";
import { timeLeft } from "../../core/stop/bounds.ts";
import { begunClaim } from "../../core/swarm/begun-claim.ts";
import { flagsOf, type Share, shareOf, takersOf } from "../../core/swarm/share.ts";
import type { TaskGraph, WorkTask } from "../../core/tasks/task-graph.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import type { Busy, Swarm } from "./swarm-context.ts";

/**
 * Gives each idle worker a task and its part of the bounds, as far as there are any.
 * @param claims gets those of the workers that begin
 * @returns whether there is work that one of them has or could begin
 */
export function beginWorkers(
  at: Swarm,
  idle: readonly SwarmWorker[],
  { graph, claims }: { graph: TaskGraph; claims: Map<string, TaskClaim> },
): boolean {
  const { run, options, busy, orphans } = at;
  const { workers } = options.yard;
  let isWork = false;
  for (const worker of idle) {
    if (run.state().paused) break;
    if (options.yard.isBusy(worker)) {
      isWork = true;
      continue;
    }
    const place = { index: workers.indexOf(worker), count: workers.length };
    const now = run.world.clock.now();
    const next = nextTask(graph, { claims, shard: place, stacks: false, worker: worker.id, now });
    if (next.do !== "work") continue;
    isWork = true;
    if (run.world.runningMs() - at.lastStart < options.staggerMs) break;
    const given = [...busy.values(), ...orphans.values()].map((one) => one.share);
    const free = workers.filter(({ name }) => !busy.has(name) && !orphans.has(name) && !at.ended.has(name)).length;
    const share = shareOf(run.state(), run.settings, given, takersOf(free, graph.tasks, claims, now));
    if (share === null) break;
    begin(at, worker, next.task, share);
    claims.set(next.task.id, begunClaim(next.task, worker.id));
  }
  return isWork;
}

function begin(at: Swarm, worker: SwarmWorker, task: WorkTask, share: Share): void {
  const { run, options, busy } = at;
  const { settings } = run;
  const { state, now } = run.present();
  const timeLeftMs = timeLeft(state, settings, now);
  const flags = flagsOf({ share, settings, workers: options.yard.workers.length, timeLeftMs });
  const before = options.yard.newest(worker)?.run ?? null;
  // Before it begins: whoever is killed in between, the next swarm knows that this one may have spent something.
  run.append({ type: "task_claimed", task: task.id, text: task.text, worker: worker.name, branch: "", session: null });
  const process = options.yard.start(worker, task.id, flags);
  const one: Busy = { worker, task, share, before, process, exit: "running", isTold: false };
  process.exited.then(
    (code) => {
      one.exit = code;
    },
    (error) => {
      at.failure ??= error as Error;
    },
  );
  busy.set(worker.name, one);
  at.lastStart = run.world.runningMs();
}
