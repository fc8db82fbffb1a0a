import type { Usage } from "../../driver.ts";
import { HOUR_MS } from "../durations.ts";
import { addUsage, noUsage, type Spending } from "../journal/usage.ts";
import type { Settings } from "../settings/settings.ts";
import { addConversationCost, type ConversationCost } from "./session-renewal.ts";

/** The agent's conversation that the next call resumes. Times are ISO. */
export type SessionState =
  | {
      session_id: string;
      driver: string;
      created_at: string;
      last_used: string;
      usage?: Spending;
      /** What each iteration in it cost, oldest first. */
      costs?: ConversationCost[];
    }
  | { session_id: null; reset_at: string | null; reset_reason: string | null };

export type SessionResetReason =
  | "circuit_breaker_open"
  | "manual_interrupt"
  | "project_complete"
  | "manual_circuit_reset"
  | "manual_reset_flag"
  | "permission_denied"
  | "api_error"
  | "session_expired"
  | "session_renewed"
  | "session_idle"
  | "no_headway"
  | "session_rejected"
  | "driver_changed"
  | "undone";

/**
 * Resets of the conversation alone. What was claimed in it stays counted: the work is the same, and an agent that loses each
 * conversation could otherwise claim for ever.
 */
export const KEEPS_CLAIMS: ReadonlySet<SessionResetReason> = new Set([
  "session_renewed",
  "session_idle",
  "session_rejected",
  "session_expired",
  "api_error",
]);

export type SessionTransition = {
  timestamp: string;
  from_state: string;
  to_state: string;
  reason: string;
  loop_number: number;
};

const HISTORY_ROWS = 50;

/** No session, with the time (ISO) and reason of its reset; null if there was none. */
export function noSession(resetAt: string | null, reason: string | null): SessionState {
  return { session_id: null, reset_at: resetAt, reset_reason: reason };
}

/** The session after a call reported `id` at `at` (ISO): the same id continues it, another one starts a new session. */
export function touchSession(session: SessionState, id: string, driver: string, at: string): SessionState {
  if (session.session_id === id && session.driver === driver) return { ...session, last_used: at };
  return { session_id: id, driver, created_at: at, last_used: at };
}

/** The same for a session that another worker began, which `used` this. */
export function takeSession(
  session: SessionState,
  id: string,
  driver: string,
  at: string,
  used: Spending | undefined,
): SessionState {
  const taken = touchSession(session, id, driver, at);
  return used === undefined || taken.session_id === null ? taken : { ...taken, usage: used };
}

/** The usage of the session's calls so far, as far as the journal knows. */
export function sessionUsage(session: SessionState): Spending {
  return session.session_id === null ? noUsage() : (session.usage ?? noUsage());
}

/** The session after one of its calls reported its usage. */
export function chargeSession(session: SessionState, usage: Spending): SessionState {
  return session.session_id === null ? session : { ...session, usage: addUsage(sessionUsage(session), usage) };
}

/** The session after an iteration in it, with the usage of all its calls. */
export function rememberIteration(session: SessionState, usage: Usage): SessionState {
  return session.session_id === null ? session : { ...session, costs: addConversationCost(session.costs ?? [], usage) };
}

/** Drops the session at `at` (ISO) and adds the reason to the history: the last 50 rows, oldest first. */
export function resetSession(
  history: readonly SessionTransition[],
  at: string,
  reason: SessionResetReason,
  loopNumber: number,
): { session: SessionState; session_history: SessionTransition[] } {
  const row = { timestamp: at, from_state: "active", to_state: "reset", reason, loop_number: loopNumber };
  return { session: noSession(at, reason), session_history: [...history, row].slice(-HISTORY_ROWS) };
}

/** The conditions of resuming a session; `now` in epoch ms. */
export type ResumeContext = {
  settings: Pick<Settings, "SESSION_CONTINUITY" | "SESSION_EXPIRY_HOURS">;
  driver: string;
  now: number;
};

/**
 * The session for the next call. Its age counts from its creation (product.md "Sessions"), which lets a busy loop
 * expire too; a session of another driver is never resumed.
 * @returns `expired`: this driver has one, but it is too old
 */
export function findResumableSession(
  session: SessionState,
  { settings, driver, now }: ResumeContext,
): { resume: string | null; expired: boolean } {
  const none = { resume: null, expired: false };
  if (session.session_id === null || session.driver !== driver || !settings.SESSION_CONTINUITY) return none;
  const age = now - Date.parse(session.created_at);
  // An unreadable creation time gives NaN, which is never below the limit.
  return age < settings.SESSION_EXPIRY_HOURS * HOUR_MS
    ? { resume: session.session_id, expired: false }
    : { resume: null, expired: true };
}
