/** The workers that a swarm left at work when it was killed, whether they still are or not. */
import { orphanOf, runOnLeft } from "../../core/swarm/orphan.ts";
import { isCompleted, outcomeOf, spentBy } from "../../core/swarm/worker-end.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import { giveBack } from "./give-back.ts";
import { takeBackSaid } from "./pass-on.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

/** Notes who is at work that this swarm has not begun. Before the claims are read: what one that ends meanwhile had would else look as if it had begun nothing. */
export function adoptOrphans(at: Swarm): void {
  const { options, busy, orphans } = at;
  for (const worker of withLeft(at))
    if (!busy.has(worker.name) && !orphans.has(worker.name) && options.yard.isBusy(worker))
      orphans.set(worker.name, orphanOf(options.yard.newest(worker)));
}

/** This swarm's workers, and those that a larger one before it left. */
function withLeft({ run, options: { yard } }: Swarm): SwarmWorker[] {
  const { left_at_work } = run.state();
  return [...yard.workers, ...yard.others.filter(({ name }) => left_at_work.some(({ worker }) => worker === name))];
}

/**
 * The workers that were left and have ended. What one used counts once it is let go of; until then, what it may still use is given to no
 * other.
 */
export function endedOrphans(at: Swarm): Left[] {
  const { run, options, busy, orphans } = at;
  const there = withLeft(at);
  const names = new Set([...orphans.keys(), ...run.state().left_at_work.map(({ worker }) => worker)]);
  return [...names].flatMap((name) => {
    const worker = there.find((one) => one.name === name) ?? null;
    return busy.has(name) || (worker !== null && options.yard.isBusy(worker)) ? [] : [{ name, worker }];
  });
}

/** `worker`: null if its worktree is gone. */
type Left = { name: string; worker: SwarmWorker | null };

/** Lets go of a worker that has ended. What it still claims is given back if it is not in this swarm: one that is goes on with it. */
export async function release(at: Swarm, { name, worker }: Left, claims: Seen["claims"]): Promise<void> {
  const { run, options, orphans } = at;
  const work = orphans.get(name)?.work ?? null;
  orphans.delete(name);
  at.seen = null;
  const newest = worker === null ? null : options.yard.newest(worker);
  takeBackSaid(at, name, newest);
  const left = run.state().left_at_work.filter((one) => one.worker === name);
  const had = left.map((one) => ({ task: one.task, worked: runOnLeft(one, options.yard.runs(name)) }));
  // Its swarm's journal is gone, or was another version's.
  if (work !== null && newest?.run === work.run && !had.some(({ task }) => task === work.task))
    had.push({ task: work.task, worked: newest });
  for (const { task, worked } of had) {
    const held = claims.get(task) ?? null;
    const claim = held?.claim ?? null;
    const its = claim !== null && claim.worker.name === worker?.id ? claim : null;
    // Of such a run that has no claim any more, the work has landed.
    const isDone = its?.state === "handed_in" || (claim === null && isCompleted(worked));
    run.append({
      ...{ type: "task_released", task, worker: name, ...outcomeOf(its, worked, isDone ? 0 : null, null) },
      ...(worked === null ? {} : { spent: spentBy(worked) }),
    });
    if (its?.state === "claimed" && held !== null && worker !== null && !options.yard.workers.includes(worker))
      await giveBack(at, worker, { id: task, text: its.text }, held);
  }
}
