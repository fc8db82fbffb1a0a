import type { RalphEvent } from "./event.ts";
import { reduce } from "./reduce.ts";
import type { State } from "./state.ts";

/** An event with the states after and before it. */
export type EventStep = { event: RalphEvent; state: State; previous: State };

/** The step of the next event. */
export function stepOf(previous: State, event: RalphEvent): EventStep {
  return { event, state: reduce(previous, event), previous };
}
