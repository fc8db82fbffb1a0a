/** What becomes of a task when the run that worked on it ends. */
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import type { TaskOutcome } from "./claim.ts";

export type TaskEnd = {
  /** `unfinished`: it goes back with what there is of it, and counts as a try. */
  outcome: Exclude<TaskOutcome, "lost"> | "unfinished";
  /** Whether the worker may take another task: what ended this one lies with the task, not with the agent or the machine. */
  goesOn: boolean;
};

/** After so many runs that got nowhere a person has to look. */
const MOST_TRIES = 2;

const LIES_WITH_TASK: ReadonlySet<StopReason> = new Set<StopReason>([
  "stagnation_detected",
  "repeated_error",
  "output_decline",
  "permission_denials",
  "read_only_timeouts",
  "denied_repeatedly",
  "no_headway",
  "max_cost_per_task",
  "completion_disputed",
  "safety_circuit_breaker",
  "gate_weakened",
]);

/** @param tries runs that ended without its end before this one */
export function taskEnd(reason: StopReason, tries: number): TaskEnd {
  if (STOP_REASONS[reason].status === "completed") return { outcome: "handed_in", goesOn: true };
  if (reason === "waits_for_answer" || reason === "blocked") return { outcome: "parked", goesOn: true };
  if (!LIES_WITH_TASK.has(reason)) return { outcome: "given_back", goesOn: false };
  return unfinishedEnd(tries);
}

/** The end of a run that brought its task no further than it is. @param tries see `taskEnd` */
export function unfinishedEnd(tries: number): TaskEnd {
  return { outcome: tries + 1 >= MOST_TRIES ? "parked" : "unfinished", goesOn: true };
}
