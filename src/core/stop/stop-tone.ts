import { STOP_REASONS, type StopReason } from "./stop-reasons.ts";

/** The tone of a run's end: done, as the user wanted it, in need of attention, or broken. */
export type Tone = "good" | "calm" | "warn" | "bad";

/**
 * A stop on request, a signal and a bound of the user are no failures.
 * @param reason from the journal, perhaps of a newer ralph: the exit code decides about an unknown one
 */
export function stopTone(reason: StopReason, exitCode: number | null): Tone {
  const end: { status: string; action: string } | undefined = STOP_REASONS[reason];
  if (end === undefined) return exitCode === 0 ? "good" : "warn";
  if (end.status === "completed" || end.action === "landed") return "good";
  if (["stopped_by_user", "interrupted", "bound_reached"].includes(end.action)) return "calm";
  return exitCode === 1 || exitCode === 7 ? "bad" : "warn";
}
