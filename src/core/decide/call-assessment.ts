import type { ErrorClass } from "../../driver.ts";
import { type AgentError, type AgentOutcome, wasCutShort } from "../journal/event.ts";

/** The end of the agent's process and the facts in its output that decide how the call ended. */
export type CallEvidence = {
  outcome: AgentOutcome;
  exit_code: number | null;
  /** The signal that ended it, if the system reports one. */
  signal: string | null;
  spawn_error: string | null;
  /** The final event, or null without one. */
  finished: { ok: boolean } | null;
  /** Whether the driver's output has a final event; without one the exit code decides. */
  hasFinalEvent: boolean;
  /** The error stated in the output. */
  error: AgentError | null;
  /** The output states a limit as structured data. */
  limited: boolean;
  /** The last lines that are not events, stdout then stderr; few enough for an error's text. */
  plainLines: readonly string[];
  resumed: boolean;
};

export type CallAssessment = { ok: boolean; error: AgentError | null; repeat: "limit" | "session" | null };

/**
 * Assesses a call: whether it succeeded, and if not, why and whether it is repeated (product.md "Stuck" and "Limited").
 * Success is the final event, not exit code 0. Only the final error text is searched for wordings.
 * @param classify class of an error text, null for an unknown wording
 */
export function assessCall(end: CallEvidence, classify: (text: string) => ErrorClass | null): CallAssessment {
  if (end.outcome === "spawn_failed") return failed("config", end.spawn_error ?? "The agent could not be started.");
  if (end.outcome === "stopped") return { ok: false, error: null, repeat: null };
  if (succeeded(end)) return { ok: true, error: null, repeat: null };
  if (end.limited) return { ...failed("limit", end.error?.message ?? "usage limit"), repeat: "limit" };
  // A timeout shows nothing about the provider: the changes of the iteration decide.
  if (wasCutShort(end.outcome) && hasNoCause(end)) return { ok: false, error: null, repeat: null };

  // A process killed from outside gives no reason, so its output is ignored.
  const plain = OUTSIDE.has(end.signal ?? "") ? "" : end.plainLines.join("\n");
  const text = end.error?.message ?? plain;
  const error = { class: classOf(end, text, classify), message: text.trim() || describe(end) };
  if (error.class === "limit") return { ok: false, error, repeat: "limit" };
  if (error.class === "session") {
    if (end.resumed) return { ok: false, error, repeat: "session" };
    // Without a session to drop, a repeated call would get the same answer: it counts and pauses like a crash.
    return failed("infrastructure", error.message);
  }
  return { ok: false, error, repeat: null };
}

function succeeded(end: CallEvidence): boolean {
  if (end.error !== null) return false;
  if (wasCutShort(end.outcome)) return false;
  return end.hasFinalEvent ? end.finished?.ok === true : end.exit_code === 0;
}

/** An agent that finishes its turn after an interruption reports only the interruption. */
function hasNoCause({ error, finished }: CallEvidence): boolean {
  return error === null || (finished !== null && error.class === "infrastructure");
}

function classOf(end: CallEvidence, text: string, classify: (text: string) => ErrorClass | null): ErrorClass {
  const stated = end.error?.class;
  if (stated !== undefined && stated !== "infrastructure") return stated;
  return classify(text) ?? stated ?? "infrastructure";
}

/** An agent does not send these to itself: the system or a user does. */
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
