import type { State } from "../journal/state.ts";
import { breakerReason, breakerStateName } from "../stop/breaker-history.ts";
import { isoSeconds, isoText } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

/** The breaker for other programs: the object of `.circuit_breaker_state` and of `ralph status --json`. */
export function breakerJson(state: State): Record<string, unknown> {
  const { breaker } = state;
  return {
    state: breakerStateName(breaker),
    last_change: lastChange(state),
    consecutive_no_progress: breaker.no_progress,
    consecutive_same_error: breaker.same_error,
    consecutive_permission_denials: breaker.denials,
    consecutive_read_only_timeouts: breaker.read_only_timeouts,
    last_progress_loop: breaker.last_progress,
    total_opens: breaker.total_opens,
    reason: breakerReason(breaker),
    // The iteration that the breaker last judged, as in the originals: it changes with the rest of the file.
    current_loop: state.last?.number ?? 0,
    ...(breaker.state === "open" ? { opened_at: isoSeconds(breaker.since) } : {}),
  };
}

/** `.circuit_breaker_state`. */
export function breakerFile(state: State): string {
  return jsonFile(breakerJson(state));
}

function lastChange(state: State): string {
  const newest = state.breaker_history.at(-1);
  if (newest !== undefined) return isoText(newest.timestamp);
  return state.breaker.state === "open" ? isoSeconds(state.breaker.since) : isoText(state.started_at);
}
