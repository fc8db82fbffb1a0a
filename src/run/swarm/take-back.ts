import { isTakeable } from "../../core/fleet/claim.ts";
import { leftInsideWords } from "../../core/fleet/left-inside-words.ts";
import { warning } from "../../core/journal/warning.ts";
import { type FailedWorker, futureOf, outcomeOf, spentBy } from "../../core/swarm/worker-end.ts";
import type { SwarmWorker } from "../../effects/ports.ts";
import { giveBack, leave } from "./give-back.ts";
import { takeBackSaid } from "./pass-on.ts";
import type { Busy, Seen, Swarm } from "./swarm-context.ts";

/** Records what workers that ended did, gives back what one held that died, and notes who gets no more. @param claims read after their end */
export async function takeBack(at: Swarm, ended: readonly Busy[], claims: Seen["claims"]): Promise<void> {
  const { run, options, busy } = at;
  for (const one of ended) {
    const { worker, task, before, exit } = one;
    if (exit === "running") continue;
    const { name } = worker;
    busy.delete(name);
    const newest = options.yard.newest(worker);
    takeBackSaid(at, name, newest);
    const isNew = newest !== null && newest.run !== before;
    const worked = isNew && newest.tasks_at_work.some((at) => at.task === task.id) ? newest : null;
    const held = claims.get(task.id) ?? null;
    const isOurs = held !== null && held.claim.worker.name === worker.id;
    if (isOurs && held.claim.state === "claimed") await giveBack(at, worker, task, held);
    else if (exit !== 0) await leave(at, worker, task, false);
    // Another swarm, or a worker elsewhere, was faster: no fault of this one.
    const isTaken = worked === null && held !== null && !isOurs && !isTakeable(held.claim, run.world.clock.now());
    const words = exit === 0 ? null : one.process.words();
    const { outcome, why } = isTaken
      ? ({ outcome: "given_back", why: "somebody else has it" } as const)
      : outcomeOf(isOurs ? held.claim : null, worked, exit, words);
    run.append({
      ...{ type: "task_released", task: task.id, worker: name, outcome, why },
      ...(worked === null ? {} : { spent: spentBy(worked) }),
    });
    if (worked !== null) await tellLeft(at, worker);
    // What it gave back with a message it could go on with itself.
    const isReturned = isOurs && held.claim.state === "returned";
    if (outcome === "given_back" && exit !== 0 && !isTaken && !isReturned) noteFuture(at, one, { worked, exit, words });
  }
}

/** Nothing of these is handed in. A checkout that git cannot list now is no reason to end a swarm: what takes its work tells of it. */
async function tellLeft({ run, options, nested }: Swarm, worker: SwarmWorker): Promise<void> {
  for (const path of await options.yard.leftInside(worker).catch(() => [])) {
    const key = `${worker.name}/${path}`;
    if (nested.has(key)) continue;
    nested.add(key);
    run.append(warning(leftInsideWords(path, `the worktree ${worker.name}`)));
  }
}

function noteFuture(
  at: Swarm,
  { worker: { name }, isTold }: Busy,
  { worked, exit, words }: Pick<FailedWorker, "worked" | "exit" | "words">,
): void {
  const { ended, deaths, run } = at;
  const died = deaths.get(name) ?? 0;
  const future = futureOf({ name, isTold, worked, exit, words, deaths: died }, run.settings, run.world.clock.now());
  if (future.next === "died") deaths.set(name, died + 1);
  if (future.next === "rest") at.restsUntil = Math.max(at.restsUntil, future.until);
  if (future.next !== "none") return;
  // The others have the same provider: another call of one that is at work may go through, a new task would be begun in vain.
  const over = future.reason === "usage_limit" ? at.options.yard.workers : [{ name }];
  for (const one of over) ended.set(one.name, { reason: future.reason, sentence: future.sentence });
}
