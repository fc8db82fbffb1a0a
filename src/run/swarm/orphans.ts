/** The workers that a swarm left at work when it was killed. */
import type { TaskClaim } from "../../core/fleet/claim.ts";
import { orphanOf } from "../../core/swarm/orphan.ts";
import { outcomeOf, spentBy } from "../../core/swarm/worker-end.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import { takeBackSaid } from "./pass-on.ts";
import type { Swarm } from "./swarm-context.ts";

/** Notes who is at work that this swarm has not begun. Before the claims are read: what one that ends meanwhile had would else look as if it had begun nothing. */
export function adoptOrphans({ options: { yard }, busy, orphans }: Swarm): void {
  for (const worker of yard.workers)
    if (!busy.has(worker.name) && !orphans.has(worker.name) && yard.isBusy(worker))
      orphans.set(worker.name, orphanOf(yard.newest(worker)));
}

type Claims = ReadonlyMap<string, TaskClaim>;

/**
 * Lets go of the orphans among some workers that have ended. What one used counts from then on; until then, what it may still use
 * is given to no other.
 * @returns whether there was any
 */
export function releaseOrphans(at: Swarm, workers: readonly SwarmWorker[], claims: Claims): boolean {
  const { options, orphans } = at;
  const ended = workers.filter((worker) => orphans.has(worker.name) && !options.yard.isBusy(worker));
  for (const worker of ended) release(at, worker, claims);
  return ended.length > 0;
}

function release(at: Swarm, worker: SwarmWorker, claims: Claims): void {
  const { run, options, orphans } = at;
  const work = orphans.get(worker.name)?.work ?? null;
  orphans.delete(worker.name);
  at.seen = null;
  const newest = options.yard.newest(worker);
  takeBackSaid(at, worker.name, newest);
  if (newest === null || work === null || newest.run !== work.run) return;
  const { task } = work;
  const claim = claims.get(task) ?? null;
  const { outcome, why } = outcomeOf(claim, newest, claim?.state === "handed_in" ? 0 : null);
  run.append({ type: "task_released", task, worker: worker.name, outcome, why, spent: spentBy(newest) });
}
