import type { Swarm } from "./swarm-context.ts";

/**
 * Waits for the next look at the workers. A stop at once cuts the wait short that it falls into, and no later one: a wait that has ended
 * before it begins lets nothing else happen in this process, so the end of a worker would not be seen.
 */
export async function nextLook({ run, options }: Pick<Swarm, "run" | "options">): Promise<void> {
  const { clock } = run.world;
  const { killSignal } = run.stops;
  const signal = killSignal.aborted ? new AbortController().signal : killSignal;
  await clock.sleepUntil(clock.now() + options.lookMs, signal);
}
