import type { RalphEvent } from "./event.ts";

/**
 * Whether a run is over with this event: it ended, or a later start found that it had broken off. What its journal holds after that is of
 * other processes, such as a word for the next run, a reset or an undo, perhaps days later: it makes the run no longer.
 */
export function isRunOver(event: RalphEvent): boolean {
  return event.type === "run_finished" || (event.type === "run_recovered" && event.of_run === event.run);
}
