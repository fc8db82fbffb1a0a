import type { State } from "../journal/state.ts";
import { type BudgetState, charge } from "../stop/budget.ts";
import { analysisFile, signalsFile } from "./analysis-file.ts";
import { breakerFile } from "./breaker-file.ts";
import { historyFile } from "./file-json.ts";
import { progressFile } from "./progress-file.ts";
import { sessionFile, sessionIdFile } from "./session-file.ts";

/** The data for projections beside the state. */
export type ProjectionContext = {
  /** HEAD at the start of the iteration; null if there is none. */
  head: string | null;
  /** Path of the newest call's output, relative to the project. */
  outputFile: string | null;
  /** By how many ms local time is ahead of UTC at a time. */
  offsetAt?: (at: number) => number;
};

/**
 * Every projection that is written whole, except `status.json`: content by name below `.ralph`, null for "no such
 * file". `status.json` (`statusFile`) is written last, so its `seq` vouches for the others.
 */
export function renderStateFiles(state: State, context: ProjectionContext) {
  return {
    "progress.json": progressFile(state, undefined, context.offsetAt),
    ...counterFiles(state.budget, Date.parse(state.updated_at)),
    ".exit_signals": signalsFile(state.signals),
    ".response_analysis": analysisFile(state, context.outputFile),
    ".circuit_breaker_state": breakerFile(state),
    ".circuit_breaker_history": historyFile(state.breaker_history),
    ".ralph_session": sessionFile(state.session),
    ".ralph_session_history": historyFile(state.session_history),
    ".claude_session_id": sessionIdFile(state.session),
    ".loop_start_sha": `${context.head ?? ""}\n`,
  } satisfies Record<string, string | null>;
}

/** `.call_count`, `.token_count` and `.last_reset` (the clock hour, YYYYMMDDHH) at `now` (epoch ms). */
function counterFiles(
  budget: BudgetState,
  now: number,
): { ".call_count": string; ".token_count": string; ".last_reset": string } {
  const hour = charge(budget, now, { calls: 0, tokens: 0 });
  return { ".call_count": `${hour.calls}\n`, ".token_count": `${hour.tokens}\n`, ".last_reset": `${hour.hour}\n` };
}
