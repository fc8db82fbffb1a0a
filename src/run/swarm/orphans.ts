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

/** What an orphan may still use is given to no other; what it used counts once it has ended. @returns whether it has, just now */
export function hasOrphanEnded(at: Swarm, worker: SwarmWorker, claims: ReadonlyMap<string, TaskClaim>): boolean {
  const { run, options, orphans } = at;
  const known = orphans.get(worker.name);
  if (known === undefined || options.yard.isBusy(worker)) return false;
  orphans.delete(worker.name);
  at.seen = null;
  const newest = options.yard.newest(worker);
  takeBackSaid(at, worker.name, newest);
  if (newest !== null && known.work !== null && newest.run === known.work.run) {
    const { task } = known.work;
    const claim = claims.get(task) ?? null;
    const { outcome, why } = outcomeOf(claim, newest, claim?.state === "handed_in" ? 0 : null);
    run.append({ type: "task_released", task, worker: worker.name, outcome, why, spent: spentBy(newest) });
  }
  return true;
}
