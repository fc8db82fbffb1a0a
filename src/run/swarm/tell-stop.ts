import type { Swarm } from "./swarm-context.ts";

/** Passes a stop on to those at work, once. */
export function tellStop(at: Swarm, how: "after_iteration" | "now"): void {
  if (at.told === how || at.told === "now") return;
  at.told = how;
  for (const one of at.busy.values()) {
    one.isTold = true;
    one.process.stop(how);
  }
}
