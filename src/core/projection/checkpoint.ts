import type { RalphEvent } from "../event.ts";

/**
 * The events after which projections are written (product.md "Files"): start and end of an iteration, waits, stops, and
 * what changes breaker or session by hand.
 */
const CHECKPOINTS: Partial<Record<RalphEvent["type"], true>> = {
  run_started: true,
  iteration_started: true,
  iteration_finished: true,
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
