import { resetSession } from "../decide/session.ts";
import type { State } from "../journal/state.ts";
import { isRecord } from "../json-value.ts";
import { appendTransition, breakerStateName } from "../stop/breaker-history.ts";
import { type CircuitBreaker, closedBreaker } from "../stop/circuit-breaker.ts";
import { isoSeconds, isoText } from "../text/time-text.ts";
import type { OldFileName, OldFiles } from "./legacy/adopt-legacy.ts";
import { readBreaker } from "./legacy/old-breaker.ts";
import { budgetFromCounters, readCounter, readHour } from "./legacy/old-budget.ts";
import { parseJson } from "./legacy/old-json.ts";
import { readSession, readSessionId } from "./legacy/old-session.ts";
import { renderStateFiles } from "./render-state-files.ts";

/** A state that went along with the edits; the same object where there were none. */
export type EditAdoption = { state: State; notes: string[]; corrupt: OldFileName[] };

/**
 * Adopts what a person or another program did to the projections since the last run ended (product.md "Projections
 * edited between runs"): a file that is gone or differs from what `state` (the fold of that run's journal) wrote. What
 * cannot be read changes nothing and is named in `corrupt`.
 * @param now epoch ms
 */
export function adoptEdits(state: State, files: OldFiles, now: number): EditAdoption {
  if (!vouched(state, files)) return { state, notes: [], corrupt: [] };
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
 * Whether differences can be edits at all. ralph writes `status.json` last, with the number of the event that the files
 * show; if that is not the newest, ralph died (or the disk was full) before it wrote them, and they are merely old.
 * A `status.json` without a run is another program's.
 */
function vouched(state: State, files: OldFiles): boolean {
  if (state.finished === null) return false;
  const status = parseJson(files["status.json"]?.text ?? "");
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
  const what =
    file === undefined
      ? "was deleted, so the circuit breaker is reset"
      : `was changed, so the circuit breaker is ${breakerStateName(breaker)}`;
  return noted({ ...adoption, state: { ...state, breaker, breaker_history } }, `.circuit_breaker_state ${what}.`);
};

/** Whether the file says the same in another dress (another order of keys, another indent). */
function sameBreaker(a: CircuitBreaker, b: CircuitBreaker): boolean {
  const told = (breaker: CircuitBreaker) => [
    breakerStateName(breaker),
    breaker.state === "open" ? isoSeconds(breaker.since) : "",
    breaker.no_progress,
    breaker.same_error,
    breaker.denials,
    breaker.read_only_timeouts,
    breaker.total_opens,
  ];
  return told(a).join() === told(b).join();
}

/** The file knows neither the fingerprint that the same error is counted with nor the word of the reason. */
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
  const what = `${changed.join(", ")} ${changed.length === 1 ? "was" : "were"} changed`;
  return noted(
    { ...adoption, state: { ...adoption.state, budget: next } },
    `${what}: ${next.calls} calls and ${next.tokens} tokens count as spent.`,
  );
};

const editedSession: Edit = (adoption, files, edited, now) => {
  const { state } = adoption;
  const at = new Date(now).toISOString();
  const drop = (name: OldFileName, how: string): EditAdoption =>
    state.session.session_id === null
      ? adoption
      : noted(
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
    return noted(
      { ...adoption, state: { ...state, session } },
      `.claude_session_id was changed: session ${found.id} of ${driver} goes on.`,
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
  const note = `${name} was changed and cannot be read; the journal's word stands.`;
  return { ...adoption, notes: [...adoption.notes, note], corrupt: [...adoption.corrupt, name] };
}

function noted(adoption: EditAdoption, note: string): EditAdoption {
  return { ...adoption, notes: [...adoption.notes, note] };
}
