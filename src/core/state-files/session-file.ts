import type { SessionState } from "../decide/session.ts";
import { isoText } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

/** `.ralph_session`: the live session, or when and why it was reset; no file without any session so far. */
export function sessionFile(session: SessionState): string | null {
  if (session.session_id !== null) {
    const { session_id, created_at, last_used } = session;
    return jsonFile({ session_id, created_at: isoText(created_at), last_used: isoText(last_used) });
  }
  if (session.reset_at === null && session.reset_reason === null) return null;
  return jsonFile({
    session_id: "",
    reset_at: isoText(session.reset_at ?? ""),
    reset_reason: session.reset_reason ?? "",
  });
}

/**
 * `.claude_session_id`: the session id for the next call; no file without one. JSON, since both originals read it
 * unambiguously: a plain line of digits is "no session" to bmalph, and a plain line has no time. `driver` is ralph's
 * addition: an id of one CLI is meaningless to another.
 */
export function sessionIdFile(session: SessionState): string | null {
  if (session.session_id === null) return null;
  return jsonFile({ session_id: session.session_id, timestamp: isoText(session.last_used), driver: session.driver });
}
