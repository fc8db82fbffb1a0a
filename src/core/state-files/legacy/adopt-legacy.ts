import { noSession } from "../../decide/session.ts";
import { initialState, type State } from "../../journal/state.ts";
import { breakerStateName } from "../../stop/breaker-history.ts";
import { readBreaker, readBreakerHistory } from "./old-breaker.ts";
import { budgetFromCounters, readCounter, readHour } from "./old-budget.ts";
import { lastDriver, readSession, readSessionHistory, readSessionId, sessionDriver } from "./old-session.ts";

/** Files of an old project that ralph reads, by name below `.ralph`. The end of the metrics is enough. */
export const OLD_FILES = [
  ".circuit_breaker_state",
  ".circuit_breaker_history",
  ".call_count",
  ".token_count",
  ".last_reset",
  ".claude_session_id",
  ".ralph_session",
  ".ralph_session_history",
  "status.json",
  "logs/metrics.jsonl",
] as const;

export type OldFileName = (typeof OLD_FILES)[number];
/** `mtime` in epoch ms. */
export type OldFile = { text: string; mtime: number };
export type OldFiles = Partial<Record<OldFileName, OldFile>>;

export type AdoptedState = Pick<State, "breaker" | "breaker_history" | "budget" | "session" | "session_history">;

export type Adoption = {
  state: AdoptedState;
  /** The adopted and the unreadable data, in sentences for the user. */
  notes: string[];
  /** Unreadable files: to be moved aside, never deleted. */
  corrupt: OldFileName[];
};

/**
 * The data that a first run adopts from the originals' state files (product.md "Files"): breaker, counters and session.
 * It skips the exit signals, which belong to a finished run.
 * @param context `now` in epoch ms; `driver` the project's driver, null if unknown
 */
export function adoptLegacy(files: OldFiles, context: { now: number; driver: string | null }): Adoption {
  const notes: string[] = [];
  const corrupt: OldFileName[] = [];
  /** Reads a file with `read`; null if it is absent, blank (nothing is lost) or unreadable. */
  function take<T>(name: OldFileName, read: (text: string) => T | null): T | null {
    const text = files[name]?.text ?? "";
    if (text.trim() === "") return null;
    const value = read(text);
    if (value !== null) return value;
    corrupt.push(name);
    notes.push(`${name} of an earlier program cannot be read; it was set aside.`);
    return null;
  }

  const fresh = initialState("");
  const found = take(".circuit_breaker_state", (text) => readBreaker(text, context.now));
  if (found !== null && (found.breaker.state !== "closed" || found.oddity !== null)) {
    const oddity = found.oddity === null ? "" : ` (${found.oddity})`;
    notes.push(`The circuit breaker of an earlier run was adopted: ${breakerStateName(found.breaker)}${oddity}.`);
  }
  const hour = take(".last_reset", readHour);
  const budget = budgetFromCounters(
    hour,
    take(".call_count", readCounter) ?? 0,
    take(".token_count", readCounter) ?? 0,
    context.now,
  );
  if (budget.calls > 0) notes.push(`Calls of this hour, adopted from an earlier run: ${budget.calls}.`);
  const session = adoptSession(files, take, context.driver);
  if (session.session_id !== null)
    notes.push(`Session ${session.session_id} of ${session.driver} was adopted from an earlier run.`);
  return {
    state: {
      breaker: found?.breaker ?? fresh.breaker,
      breaker_history: take(".circuit_breaker_history", readBreakerHistory)?.slice(-50) ?? [],
      budget,
      session,
      session_history: take(".ralph_session_history", readSessionHistory) ?? [],
    },
    notes,
    corrupt,
  };
}

type Take = <T>(name: OldFileName, read: (text: string) => T | null) => T | null;

/** The id file decides whether there is a session; `.ralph_session` adds its times, or when and why it was reset. */
function adoptSession(files: OldFiles, take: Take, driver: string | null): State["session"] {
  const id = take(".claude_session_id", readSessionId);
  const session = take(".ralph_session", readSession);
  if (id === null) {
    return session === null || session.session_id !== null
      ? noSession(null, null)
      : noSession(session.reset_at, session.reset_reason);
  }
  const same = session !== null && session.session_id === id.id ? session : null;
  const last_used = id.at ?? same?.last_used ?? new Date(files[".claude_session_id"]?.mtime ?? 0).toISOString();
  const writer = sessionDriver(id, lastDriver(files["logs/metrics.jsonl"]?.text ?? ""), driver);
  return { session_id: id.id, driver: writer, created_at: same?.created_at ?? last_used, last_used };
}
