import type { RalphEvent } from "../journal/event.ts";

/**
 * The events after which projections are written (product.md "Files"): waits, stops, what changes breaker or session by
 * hand, and the start of the agent. That one stands for the end of the iteration before too: the next event after an end
 * comes within milliseconds, and a file that is replaced while the agent works costs the loop no time.
 */
const CHECKPOINTS: Partial<Record<RalphEvent["type"], true>> = {
  run_started: true,
  agent_started: true,
  iteration_interrupted: true,
  wait_started: true,
  wait_ended: true,
  stop_requested: true,
  stop_withdrawn: true,
  reset: true,
  run_finished: true,
};

/** Whether the projections are to be brought up to date after this event. */
export function isCheckpoint(event: RalphEvent): boolean {
  return CHECKPOINTS[event.type] === true;
}
