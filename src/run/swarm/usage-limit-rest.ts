import type { Swarm } from "./swarm-context.ts";

/** Says when nobody works, for the provider's limit, and when that is over. @returns whether the limit holds */
export function tellRest({ run, busy, restsUntil }: Swarm): boolean {
  const rests = restsUntil > run.world.clock.now();
  const { wait } = run.state();
  if (wait === null && rests && busy.size === 0) {
    const until = new Date(restsUntil).toISOString();
    run.append({ type: "wait_started", until, why: "usage_limit", message: "The workers met the provider's limit." });
  } else if (wait !== null && (!rests || busy.size > 0)) run.append({ type: "wait_ended", why: wait.why });
  return rests;
}
