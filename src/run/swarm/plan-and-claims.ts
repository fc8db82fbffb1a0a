import type { TaskClaim } from "../../core/fleet/claim.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

/** Others may change the hub: another swarm's worker, or a person. */
const LOOK_AGAIN_MS = 10_000;

/** Plan and claims, as they were seen a moment ago if nothing happened since. @throws RalphError `environment` if git fails */
export async function look(at: Swarm): Promise<Seen> {
  const { run, options, seen } = at;
  // Not of the clock: set back by hours, nothing new would be seen for as long.
  const now = run.world.runningMs();
  const { inbox } = run.state();
  if (seen !== null && now - at.seenAt < LOOK_AGAIN_MS && inbox === at.inbox) return seen;
  const { landing } = at;
  const found = await options.yard.look();
  const fresh = { ...found, claims: at.watch(found.claims, run.world.clock.now()), tip: await options.land.tip() };
  // What landed meanwhile may be in the one and not in the other.
  at.seen = landing === at.landing ? fresh : null;
  at.tip = fresh.tip;
  at.seenAt = now;
  at.inbox = inbox;
  return fresh;
}

/** Changes a claim. @returns whether it was still the one that was seen */
export async function settle(at: Swarm, task: string, id: string, next: TaskClaim | null): Promise<boolean> {
  at.seen = null;
  return at.options.yard.settle(task, id, next);
}
