import type { ErrorClass } from "../../driver.ts";
import { classifyError, type WordedClass } from "../answer/error-patterns.ts";
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
  /** The answer is complete, though the final event is missing. */
  complete: boolean;
  /** What the CLI says in the place of an answer that has no final event; null if it answers. */
  statement: string | null;
  /** The error stated in the output. */
  error: AgentError | null;
  /** The output states a limit as structured data. */
  limited: boolean;
  /** The last lines that are neither events nor an answer, stdout then stderr; few enough for an error's text. */
  plainLines: readonly string[];
  resumed: boolean;
};

export type CallAssessment = { ok: boolean; error: AgentError | null; repeat: "limit" | "session" | null };

/**
 * Assesses a call: whether it succeeded, and if not, why and whether it is repeated (product.md "Stuck" and "Limited").
 * Success is the final event, not exit code 0. Only the final error text is searched for wordings.
 */
export function assessCall(end: CallEvidence): CallAssessment {
  if (end.outcome === "spawn_failed") return failed("config", end.spawn_error ?? "The agent could not be started.");
  if (end.outcome === "stopped") return { ok: false, error: null, repeat: null };
  if (succeeded(end)) return instead(end) ?? { ok: true, error: null, repeat: null };
  if (end.limited) return { ...failed("limit", end.error?.message ?? "usage limit"), repeat: "limit" };
  // A timeout shows nothing about the provider: the changes of the iteration decide.
  if (wasCutShort(end.outcome) && hasNoCause(end)) return { ok: false, error: null, repeat: null };

  // A process killed from outside gives no reason, so its output is ignored.
  const plain = OUTSIDE.has(signalOf(end) ?? "") ? "" : end.plainLines.join("\n");
  const text = end.error?.message ?? plain;
  return ended({ ...classOf(end, text), message: text.trim() || describe(end) }, end);
}

/** What a CLI said instead of an answer: exit code 0 does not make that one, but unknown words are an answer. */
function instead(end: CallEvidence): CallAssessment | null {
  const worded = end.statement === null ? null : classifyError(end.statement);
  if (worded === null || !NO_ANSWER.has(worded.class)) return null;
  return ended({ ...errorOf(worded), message: (end.statement ?? "").trim() }, end);
}

const NO_ANSWER: ReadonlySet<ErrorClass> = new Set(["auth", "billing", "limit", "session", "context"]);

function ended(error: AgentError, { resumed }: CallEvidence): CallAssessment {
  if (error.class === "limit") return { ok: false, error, repeat: "limit" };
  if (resumed && (error.class === "session" || error.class === "context"))
    return { ok: false, error, repeat: "session" };
  // Without a session to drop, a repeated call would get the same answer: it counts and pauses like a crash.
  if (error.class === "session") return failed("infrastructure", error.message);
  return { ok: false, error, repeat: null };
}

function succeeded(end: CallEvidence): boolean {
  if (end.error !== null) return false;
  if (wasCutShort(end.outcome)) return false;
  if (!end.hasFinalEvent) return end.exit_code === 0;
  // ralph ends a process that does not exit by itself; then only the outcome tells that it answered.
  return end.finished === null ? end.complete && end.outcome === "ok" : end.finished.ok;
}

/** An agent that finishes its turn after an interruption reports only the interruption. */
function hasNoCause({ error, finished }: CallEvidence): boolean {
  return error === null || (finished !== null && error.class === "infrastructure");
}

function classOf(end: CallEvidence, text: string): Pick<AgentError, "class" | "passing"> {
  const stated = end.error?.class;
  if (stated !== undefined && stated !== "infrastructure") return { class: stated };
  const worded = classifyError(text);
  return worded === null ? { class: "infrastructure" } : errorOf(worded);
}

function errorOf(worded: WordedClass): Pick<AgentError, "class" | "passing"> {
  return { class: worded.class, ...(worded.passing ? { passing: true } : {}) };
}

/** An agent does not send these to itself: the system or a user does. */
const OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);
/** What a shell or a container around the agent says of it then: 128 and the signal's number. */
const OUTSIDE_EXITS: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  137: "SIGKILL",
  143: "SIGTERM",
};

function signalOf({ signal, exit_code }: CallEvidence): string | null {
  return signal ?? OUTSIDE_EXITS[exit_code ?? 0] ?? null;
}

function describe(end: CallEvidence): string {
  const signal = signalOf(end);
  if (signal !== null) {
    const why = signal === "SIGKILL" ? " The system does that when memory runs out." : "";
    return `The agent was ended by ${signal} before it had answered.${why}`;
  }
  if (end.hasFinalEvent && end.finished === null)
    return `The agent ended without a final event (exit ${end.exit_code ?? "unknown"}).`;
  return `The agent exited with ${end.exit_code ?? "an unknown code"}.`;
}

function failed(errorClass: ErrorClass, message: string): CallAssessment {
  return { ok: false, error: { class: errorClass, message }, repeat: null };
}
