import { landBranches } from "../jobs/land.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

/** Lands what is handed in beside the workers, unless a pass could do no better than the last one. */
export function landHandedIn(at: Swarm, { claims, tip }: Seen): void {
  const { run, options, left } = at;
  const ids = [...claims.values()].flatMap(({ id, claim }) => (claim.state === "handed_in" ? [id] : []));
  const handedIn = ids.join(" ");
  if (at.landing || handedIn === "" || (left?.handedIn === handedIn && left.tip === tip)) return;
  at.landing = true;
  landBranches(run, { yard: options.land, named: null, untested: options.untested, acceptWeaker: false })
    .then(
      (result) => {
        at.landed = result;
        at.tip = result.to;
        at.left = result.left.length === 0 ? null : { handedIn, tip: result.to };
      },
      (error) => {
        at.failure ??= error as Error;
      },
    )
    .finally(() => {
      at.landing = false;
      at.seen = null;
    });
}
