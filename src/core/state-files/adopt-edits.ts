import { resetSession } from "../decide/session.ts";
import type { State } from "../journal/state.ts";
import { isRecord, jsonIn } from "../json-value.ts";
import { appendTransition, breakerStateName } from "../stop/breaker-history.ts";
import { type CircuitBreaker, closedBreaker } from "../stop/circuit-breaker.ts";
import { count } from "../text/count.ts";
import { isoSeconds, isoText } from "../text/time-text.ts";
import type { OldFileName, OldFiles } from "./legacy/adopt-legacy.ts";
import { readBreaker } from "./legacy/old-breaker.ts";
import { budgetFromCounters, readCounter, readHour } from "./legacy/old-budget.ts";
import { readSession, readSessionId } from "./legacy/old-session.ts";
import { renderStateFiles } from "./render-state-files.ts";

/** The state with the edits applied; the same object if there are none. */
export type EditAdoption = { state: State; notes: string[]; corrupt: OldFileName[] };

/**
 * Adopts edits of the projections since the last run, by the user or another program (product.md "Projections edited
 * between runs"): a file that is missing or differs from what `state` (the fold of that run's journal) wrote. An
 * unreadable file changes nothing and is listed in `corrupt`.
 * @param now epoch ms
 */
export function adoptEdits(state: State, files: OldFiles, now: number): EditAdoption {
  if (!areFilesCurrent(state, files)) return { state, notes: [], corrupt: [] };
  const written: Partial<Record<OldFileName, string | null>> = renderStateFiles(state, {
    head: null,
    outputFile: null,
  });
  const edited = (name: OldFileName) => (files[name]?.text ?? null) !== (written[name] ?? null);
  return [editedBreaker, editedBudget, editedSession].reduce<EditAdoption>(
    (adoption, adopt) => adopt(adoption, files, edited, now),
    { state, notes: [], corrupt: [] },
  );
}

/**
 * Whether differences can be edits at all. ralph writes `status.json` last, with the `seq` of the event that the files
 * show. If that is not the newest, ralph died (or the disk was full) before it wrote them, and the files are merely
 * old. A `status.json` without a run belongs to another program.
 */
function areFilesCurrent(state: State, files: OldFiles): boolean {
  if (state.finished === null) return false;
  const status = jsonIn(files["status.json"]?.text ?? "");
  if (!isRecord(status) || typeof status.run !== "string") return true;
  return status.run === state.run && status.seq === state.seq;
}

type Edit = (
  adoption: EditAdoption,
  files: OldFiles,
  edited: (name: OldFileName) => boolean,
  now: number,
) => EditAdoption;

const editedBreaker: Edit = (adoption, files, edited, now) => {
  if (!edited(".circuit_breaker_state")) return adoption;
  const { state } = adoption;
  const file = files[".circuit_breaker_state"];
  const read = file === undefined ? { breaker: closedBreaker() } : readBreaker(file.text, now);
  if (read === null) return unreadable(adoption, ".circuit_breaker_state");
  if (file !== undefined && sameBreaker(state.breaker, read.breaker)) return adoption;
  const breaker = withUnwritten(read.breaker, state.breaker);
  const breaker_history = appendTransition(
    state.breaker_history,
    state.breaker,
    breaker,
    new Date(now).toISOString(),
    0,
  );
  const change =
    file === undefined
      ? "was deleted, so the circuit breaker is reset"
      : `was changed, so the circuit breaker is ${breakerStateName(breaker)}`;
  return withNote({ ...adoption, state: { ...state, breaker, breaker_history } }, `.circuit_breaker_state ${change}.`);
};

/** Whether two breakers are equal, whatever the key order and indentation of the file. */
function sameBreaker(a: CircuitBreaker, b: CircuitBreaker): boolean {
  const comparable = (breaker: CircuitBreaker) => [
    breakerStateName(breaker),
    breaker.state === "open" ? isoSeconds(breaker.since) : "",
    breaker.no_progress,
    breaker.same_error,
    breaker.denials,
    breaker.read_only_timeouts,
    breaker.total_opens,
  ];
  return comparable(a).join() === comparable(b).join();
}

/** Restores the fields that the file lacks: the fingerprint of the counted error, and the reason's code. */
function withUnwritten(read: CircuitBreaker, before: CircuitBreaker): CircuitBreaker {
  const breaker = { ...read, fingerprint: read.same_error > 0 ? before.fingerprint : null };
  return breaker.state === "open" && before.state === "open" ? { ...breaker, reason: before.reason } : breaker;
}

const editedBudget: Edit = (adoption, files, edited, now) => {
  const { budget } = adoption.state;
  const changed = ([".call_count", ".token_count", ".last_reset"] as const).filter(edited);
  if (changed.length === 0) return adoption;
  const counter = (name: ".call_count" | ".token_count") =>
    files[name] === undefined ? 0 : readCounter(files[name].text);
  const [calls, tokens] = [counter(".call_count"), counter(".token_count")];
  if (calls === null) return unreadable(adoption, ".call_count");
  if (tokens === null) return unreadable(adoption, ".token_count");
  const hour = readHour(files[".last_reset"]?.text ?? "");
  if (hour === null && files[".last_reset"] !== undefined) return unreadable(adoption, ".last_reset");
  const sameHour = budget.hour !== "" && !edited(".last_reset");
  const next = sameHour ? { ...budget, calls, tokens } : budgetFromCounters(hour, calls, tokens, now);
  if (next.hour === budget.hour && next.calls === budget.calls && next.tokens === budget.tokens) return adoption;
  const names = `${changed.join(", ")} ${changed.length === 1 ? "was" : "were"} changed`;
  return withNote(
    { ...adoption, state: { ...adoption.state, budget: next } },
    `${names}: ${count(next.calls, "call")} and ${count(next.tokens, "token")} count as spent.`,
  );
};

const editedSession: Edit = (adoption, files, edited, now) => {
  const { state } = adoption;
  const at = new Date(now).toISOString();
  const drop = (name: OldFileName, how: string): EditAdoption =>
    state.session.session_id === null
      ? adoption
      : withNote(
          { ...adoption, state: { ...state, ...resetSession(state.session_history, at, "manual_reset_flag", 0) } },
          `${name} was ${how}, so the next call begins a new session.`,
        );
  if (edited(".claude_session_id")) {
    const file = files[".claude_session_id"];
    if (file === undefined || file.text.trim() === "") return drop(".claude_session_id", "deleted");
    const found = readSessionId(file.text);
    if (found === null) return unreadable(adoption, ".claude_session_id");
    if (found.id === state.session.session_id) return adoption;
    const used = isoText(found.at ?? new Date(file.mtime).toISOString());
    const driver = found.driver ?? (state.driver || "claude-code");
    const session = { session_id: found.id, driver, created_at: used, last_used: used };
    return withNote(
      { ...adoption, state: { ...state, session } },
      `.claude_session_id was changed: session ${found.id} goes on.`,
    );
  }
  if (!edited(".ralph_session")) return adoption;
  const file = files[".ralph_session"];
  if (file === undefined) return drop(".ralph_session", "deleted");
  const found = readSession(file.text);
  if (found === null) return unreadable(adoption, ".ralph_session");
  return found.session_id === null ? drop(".ralph_session", "reset") : adoption;
};

function unreadable(adoption: EditAdoption, name: OldFileName): EditAdoption {
  const note = `${name} was changed and cannot be read; the journal's state is kept.`;
  return { ...adoption, notes: [...adoption.notes, note], corrupt: [...adoption.corrupt, name] };
}

function withNote(adoption: EditAdoption, note: string): EditAdoption {
  return { ...adoption, notes: [...adoption.notes, note] };
}
