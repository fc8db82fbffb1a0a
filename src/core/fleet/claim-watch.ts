import type { TaskClaim } from "./claim.ts";

/** A claim, and the id of the commit that holds it: another one once it is renewed. */
type Held = { id: string; claim: TaskClaim };

/**
 * Makes what puts the end of each lease off until a whole one has passed here without a sign of its worker: the clock of another machine
 * may be behind or this one ahead, and a worker that renews its claim is alive whatever they say.
 * @param running ms that go by whatever becomes of the clock
 */
export function createClaimWatch(
  leaseMs: number,
  running: () => number,
): (held: ReadonlyMap<string, Held>, now: number) => Map<string, Held> {
  let known = new Map<string, { id: string; since: number }>();
  return (held, now) => {
    const at = running();
    const before = known;
    known = new Map();
    const watched = new Map<string, Held>();
    for (const [task, { id, claim }] of held) {
      const seen = before.get(task);
      const since = seen?.id === id ? seen.since : at;
      known.set(task, { id, since });
      const until = now + leaseMs - (at - since);
      const isFirm = claim.state !== "claimed" || claim.until >= until;
      watched.set(task, { id, claim: isFirm ? claim : { ...claim, until } });
    }
    return watched;
  };
}
