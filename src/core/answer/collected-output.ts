import type { AgentEvent, Usage } from "../../driver.ts";
import type { AgentError } from "../journal/event.ts";
import { addUsage, noUsage } from "../journal/usage.ts";
import type { UsageLimit } from "./analysis-types.ts";
import type { Denial } from "./denial.ts";
import { addErrors, type ErrorLines, noErrors } from "./error-lines.ts";

/**
 * The part of an iteration's output that the analysis needs. Its size is bounded: it keeps only the error lines of tool
 * results, and only the text since the last tool call.
 */
export type CollectedOutput = {
  /** The main agent's text since its last tool call: the answer if the final event repeats none. */
  readonly trailingText: string;
  /** Characters of all text by the main agent. */
  readonly textLength: number;
  readonly finished: { readonly ok: boolean; readonly text: string | null } | null;
  /** The answer's claims in JSON fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Error lines of failed tool results and of the text before the last tool call. */
  readonly errors: ErrorLines;
  readonly denials: readonly Denial[];
  readonly denialCount: number;
  /** How sure it is that the answer is complete while no final event says so. */
  readonly complete: "over" | "perhaps" | null;
  /** The error that ended the call; null if the agent continued after it. */
  readonly error: AgentError | null;
  readonly limit: UsageLimit | null;
  readonly sessionId: string | null;
  readonly usage: Usage;
};

const MAX_TRAILING_CHARS = 200_000;
const MOST_DENIALS = 200;

/** The output before the agent's first event. */
export function emptyCollectedOutput(): CollectedOutput {
  return {
    trailingText: "",
    textLength: 0,
    finished: null,
    fields: {},
    errors: noErrors(),
    denials: [],
    denialCount: 0,
    complete: null,
    error: null,
    limit: null,
    sessionId: null,
    usage: noUsage(),
  };
}

/** Events of the agent's work, after which an answer is no longer complete. */
const WORK: ReadonlySet<AgentEvent["type"]> = new Set(["text", "partial", "tool_use", "tool_result", "retry", "error"]);

/** Adds one event to the output. Text of sub-agents (`nested`) is never the answer. */
export function collectEvent(output: CollectedOutput, event: AgentEvent): CollectedOutput {
  return collect(output.complete !== null && WORK.has(event.type) ? { ...output, complete: null } : output, event);
}

function collect(output: CollectedOutput, event: AgentEvent): CollectedOutput {
  switch (event.type) {
    case "text":
      return event.nested === true ? output : addText(output, event.text);
    case "tool_use":
      return event.nested === true ? output : beginTool(output);
    case "tool_result":
      return event.is_error ? { ...output, errors: addErrors(output.errors, event.content) } : output;
    case "denied":
      return addDenial(output, { tool: event.tool, command: event.command, toolUseId: event.tool_use_id });
    case "rate_limited":
      return { ...output, limit: { kind: event.kind, resets_at: event.resets_at, message: event.message } };
    case "session_id":
      return { ...output, sessionId: event.session_id };
    case "usage":
      return { ...output, usage: addUsage(output.usage, event) };
    case "error":
      return { ...output, error: { class: event.class, message: event.message } };
    case "complete":
      return { ...output, complete: event.over === null ? null : event.over ? "over" : "perhaps" };
    case "finished":
      return finish(output, event);
    default:
      return output;
  }
}

/** The final answer: the final event's text, else the main agent's text after its last tool call. */
export function finalText(output: CollectedOutput): string {
  const text = output.finished?.text ?? "";
  return text.trim() === "" ? output.trailingText : text;
}

function addText(output: CollectedOutput, text: string): CollectedOutput {
  const trailingText = output.trailingText === "" ? text : `${output.trailingText}\n${text}`;
  return {
    ...output,
    // Trimmed only at twice the bound: otherwise each of many small blocks would copy the whole text.
    trailingText: trailingText.length > 2 * MAX_TRAILING_CHARS ? trailingText.slice(-MAX_TRAILING_CHARS) : trailingText,
    textLength: output.textLength + text.length,
  };
}

/** Who uses a tool was answered: a limit before that is over, as where another model took over. */
function beginTool(output: CollectedOutput): CollectedOutput {
  const now = output.limit === null ? output : { ...output, limit: null };
  if (now.trailingText === "") return now;
  return { ...now, errors: addErrors(now.errors, now.trailingText), trailingText: "" };
}

/** A denial may be reported twice, as it happens and in the final event. */
function addDenial(output: CollectedOutput, denial: Denial): CollectedOutput {
  const known = output.denials.some(
    (other) =>
      denial.toolUseId !== null &&
      other.toolUseId === denial.toolUseId &&
      other.tool === denial.tool &&
      (other.command === denial.command || denial.command === null),
  );
  if (known) return output;
  const denials = output.denials.length < MOST_DENIALS ? [...output.denials, denial] : output.denials;
  return { ...output, denials, denialCount: output.denialCount + 1 };
}

function finish(output: CollectedOutput, event: Extract<AgentEvent, { type: "finished" }>): CollectedOutput {
  const { usage } = output;
  return {
    ...output,
    finished: { ok: event.ok, text: event.text },
    fields: event.fields ?? {},
    // A successful end means that earlier errors were overcome.
    ...(event.ok ? { error: null, limit: null } : {}),
    usage: {
      ...usage,
      cost_usd: usage.cost_usd ?? event.cost_usd,
      duration_ms: usage.duration_ms ?? event.duration_ms,
    },
  };
}
