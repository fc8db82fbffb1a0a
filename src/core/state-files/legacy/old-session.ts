import type { SessionTransition } from "../../decide/session.ts";
import { isRecord, jsonIn } from "../../json-value.ts";
import { parseCount, textOrEmpty, toIsoTime } from "./old-json.ts";

/** The data in `.claude_session_id`; time and driver are optional there. */
export type OldSessionId = { id: string; at: string | null; driver: string | null };
/** `.ralph_session`: a live session or a reset one. */
export type OldSession =
  | { session_id: string; created_at: string | null; last_used: string | null }
  | { session_id: null; reset_at: string | null; reset_reason: string | null };

const ID = /^(?!-)[\w.:~-]{1,200}$/u;
/** The bash loop's own name for a conversation, before and after the agent reported its id. */
const PLACEHOLDER = /^ralph-\d+-\w+$/u;
const HISTORY_ROWS = 50;

/**
 * Reads `.claude_session_id` of both originals: JSON with `session_id` or `sessionId`, or a plain first line. Other
 * JSON comes from a known defect (`0`, `[]`, `null`), so digits alone are no id.
 * @returns null if it contains no id
 */
export function readSessionId(text: string): OldSessionId | null {
  const file = jsonIn(text);
  if (isRecord(file)) {
    const id = idOf(file.session_id) ?? idOf(file.sessionId);
    return id === null ? null : { id, at: toIsoTime(file.timestamp), driver: textOrEmpty(file.driver) || null };
  }
  if (file !== undefined) return null;
  const id = idOf(
    text
      .replace(/^\uFEFF/u, "")
      .trim()
      .split(/\r?\n/u, 1)[0],
  );
  return id === null ? null : { id, at: null, driver: null };
}

/** Reads `.ralph_session`; null if it is no such file. */
export function readSession(text: string): OldSession | null {
  const file = jsonIn(text);
  if (!isRecord(file) || typeof file.session_id !== "string") return null;
  const id = idOf(file.session_id);
  if (id !== null)
    return { session_id: id, created_at: toIsoTime(file.created_at), last_used: toIsoTime(file.last_used) };
  return { session_id: null, reset_at: toIsoTime(file.reset_at), reset_reason: textOrEmpty(file.reset_reason) || null };
}

/** Reads `.ralph_session_history` without its invalid rows. Null if the text is no list. */
export function readSessionHistory(text: string): SessionTransition[] | null {
  const rows = jsonIn(text);
  if (!Array.isArray(rows)) return null;
  const read = rows.flatMap((row: unknown): SessionTransition[] => {
    const timestamp = isRecord(row) ? toIsoTime(row.timestamp) : null;
    if (!isRecord(row) || timestamp === null) return [];
    const { from_state, to_state, reason, loop_number } = row;
    return [
      {
        timestamp,
        from_state: textOrEmpty(from_state),
        to_state: textOrEmpty(to_state),
        reason: textOrEmpty(reason),
        loop_number: parseCount(loop_number) ?? 0,
      },
    ];
  });
  return read.slice(-HISTORY_ROWS);
}

/**
 * The driver of an old file's session id. The file's own driver decides, then the id's form (OpenCode's begin with
 * `ses_`), then the newest line of bmalph's metrics. A JSON file without a driver comes from the bash loop, which
 * supports Claude alone; a plain line may come from bmalph, with the project's driver.
 */
export function sessionDriver(found: OldSessionId, metricsDriver: string | null, projectDriver: string | null): string {
  if (found.driver !== null) return found.driver;
  if (found.id.startsWith("ses_")) return "opencode";
  if (metricsDriver !== null) return metricsDriver;
  return (found.at === null ? projectDriver : null) ?? "claude-code";
}

/** The driver in the last complete line of `logs/metrics.jsonl`. */
export function lastDriver(metrics: string): string | null {
  const lines = metrics.trimEnd().split("\n").reverse();
  for (const line of lines) {
    const row = jsonIn(line);
    if (isRecord(row) && typeof row.driver === "string" && row.driver !== "") return row.driver;
  }
  return null;
}

function idOf(value: unknown): string | null {
  if (typeof value !== "string" || !ID.test(value)) return null;
  return value === "null" || value === "undefined" || /^\d+$/u.test(value) || PLACEHOLDER.test(value) ? null : value;
}
