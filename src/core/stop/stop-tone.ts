import { STOP_REASONS, type StopReason } from "./stop-reasons.ts";

/** How the end of a run looks: done, as its user wanted it, in need of a look, or broken. */
export type Tone = "good" | "calm" | "warn" | "bad";

/**
 * A stop on request, a signal and a bound that the user set are no failures.
 * @param reason of the journal, which a newer ralph may have written: one that is not known is told by its exit code
 */
export function stopTone(reason: StopReason, exitCode: number | null): Tone {
  const end: { status: string; action: string } | undefined = STOP_REASONS[reason];
  if (end === undefined) return exitCode === 0 ? "good" : "warn";
  if (end.status === "completed") return "good";
  if (["stopped_by_user", "interrupted", "bound_reached"].includes(end.action)) return "calm";
  return exitCode === 1 || exitCode === 7 ? "bad" : "warn";
}
