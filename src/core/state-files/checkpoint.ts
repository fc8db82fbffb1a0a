import type { RalphEvent } from "../journal/event.ts";

/**
 * The events after which projections are written (product.md "Files"): waits, stops, manual changes of breaker or
 * session, and the start of the agent. The latter also covers the end of the previous iteration: the next event follows
 * within milliseconds, and writing files while the agent works costs the loop no time.
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

/** Whether the projections are written after this event. */
export function isCheckpoint(event: RalphEvent): boolean {
  return CHECKPOINTS[event.type] === true;
}

/** Whether those who show a run are told of this event at once: who asked for it waits for an answer, or nothing else follows soon. */
export function isUrgent(event: RalphEvent): boolean {
  return isCheckpoint(event) && event.type !== "agent_started";
}
