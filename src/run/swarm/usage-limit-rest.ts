import type { Swarm } from "./swarm-context.ts";

/** Says when all workers wait for the provider's limit, and when that is over. @returns whether any rests */
export function tellRest({ run, busy, resting }: Swarm): boolean {
  const now = run.world.clock.now();
  const left = [...resting.values()].filter((until) => until > now);
  const { wait } = run.state();
  if (wait === null && left.length > 0 && busy.size === 0) {
    const until = new Date(Math.min(...left)).toISOString();
    run.append({ type: "wait_started", until, why: "usage_limit", message: "The workers met the provider's limit." });
  } else if (wait !== null && (left.length === 0 || busy.size > 0)) run.append({ type: "wait_ended", why: wait.why });
  return left.length > 0;
}
