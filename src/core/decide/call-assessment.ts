import type { ErrorClass } from "../../driver.ts";
import { type AgentError, type AgentOutcome, wasCutShort } from "../journal/event.ts";

/** How the agent's process ended and what its output said, as far as the end of a call is judged by it. */
export type CallEvidence = {
  outcome: AgentOutcome;
  exit_code: number | null;
  /** The signal that ended it, where the system tells one. */
  signal: string | null;
  spawn_error: string | null;
  /** The final event, or null where none came. */
  finished: { ok: boolean } | null;
  /** The driver's output has a final event; without one the exit code decides. */
  hasFinalEvent: boolean;
  /** The error that the output stated. */
  error: AgentError | null;
  /** A limit that the output stated by structure. */
  limited: boolean;
  /** The last lines that are no events, stdout then stderr. */
  plainLines: readonly string[];
  resumed: boolean;
};

export type CallAssessment = { ok: boolean; error: AgentError | null; repeat: "limit" | "session" | null };

/**
 * Whether a call succeeded, and if not, why and whether it is repeated (product.md "Stuck" and "Limited").
 * Exit 0 is not success: the final event is. Wordings are looked up only in the final error text.
 * @param classify class of an error text, null if its wording says nothing
 */
export function assessCall(end: CallEvidence, classify: (text: string) => ErrorClass | null): CallAssessment {
  if (end.outcome === "spawn_failed") return failed("config", end.spawn_error ?? "The agent could not be started.");
  if (end.outcome === "stopped") return { ok: false, error: null, repeat: null };
  if (succeeded(end)) return { ok: true, error: null, repeat: null };
  if (end.limited) return { ...failed("limit", end.error?.message ?? "usage limit"), repeat: "limit" };
  // A timeout says nothing about the provider: it is judged by what the iteration changed.
  if (wasCutShort(end.outcome) && tellsNoCause(end)) return { ok: false, error: null, repeat: null };

  // Who was ended by a signal from outside did not say why.
  const plain = OUTSIDE.has(end.signal ?? "") ? "" : end.plainLines.slice(-20).join("\n");
  const text = end.error?.message ?? plain;
  const error = { class: classOf(end, text, classify), message: text.trim() || describe(end) };
  if (error.class === "limit") return { ok: false, error, repeat: "limit" };
  if (error.class === "session") {
    if (end.resumed) return { ok: false, error, repeat: "session" };
    // Without a session to give up, a repetition would meet the same answer: it counts and pauses like a crash.
    return failed("infrastructure", error.message);
  }
  return { ok: false, error, repeat: null };
}

function succeeded(end: CallEvidence): boolean {
  if (end.error !== null) return false;
  if (wasCutShort(end.outcome)) return false;
  return end.hasFinalEvent ? end.finished?.ok === true : end.exit_code === 0;
}

/** An agent that comes to an end of its turn when it is cut short only tells that it was interrupted. */
function tellsNoCause({ error, finished }: CallEvidence): boolean {
  return error === null || (finished !== null && error.class === "infrastructure");
}

function classOf(end: CallEvidence, text: string, classify: (text: string) => ErrorClass | null): ErrorClass {
  const stated = end.error?.class;
  if (stated !== undefined && stated !== "infrastructure") return stated;
  return classify(text) ?? stated ?? "infrastructure";
}

/** An agent does not send these to itself: the system or a person does. */
const OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

function describe(end: CallEvidence): string {
  if (end.signal !== null) return `The agent was ended by ${end.signal} before it had answered.`;
  if (end.hasFinalEvent && end.finished === null)
    return `The agent ended without a final event (exit ${end.exit_code ?? "unknown"}).`;
  return `The agent exited with ${end.exit_code ?? "an unknown code"}.`;
}

function failed(errorClass: ErrorClass, message: string): CallAssessment {
  return { ok: false, error: { class: errorClass, message }, repeat: null };
}
