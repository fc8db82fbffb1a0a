import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import { num } from "../json-value.ts";
import { charge } from "../stop/budget.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import { isoText, localClock, utcOffset } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

/**
 * `status.json` (interfaces.md "Projections", and bmalph). During the loop the status is `running`, or `paused` in a
 * wait, never `success`: bmalph's readers take that word for the end.
 * @param others `complete`: every other projection on disk shows this state; only then `seq` is written; `offsetAt`: of local time at a time, in ms
 */
export function statusFile(
  state: State,
  { complete, offsetAt = utcOffset }: { complete: boolean; offsetAt?: (at: number) => number },
): string {
  const now = Date.parse(state.updated_at);
  const hour = charge(state.budget, now, { calls: 0, tokens: 0 });
  return jsonFile({
    timestamp: isoText(state.updated_at),
    loop_count: state.iteration,
    calls_made_this_hour: hour.calls,
    max_calls_per_hour: num(state.settings.MAX_CALLS_PER_HOUR) ?? 0,
    tokens_used_this_hour: hour.tokens,
    max_tokens_per_hour: num(state.settings.MAX_TOKENS_PER_HOUR) ?? 0,
    last_action: state.finished === null ? state.last_action : STOP_REASONS[state.finished.reason].action,
    status: statusWord(state),
    exit_reason: exitReason(state),
    proof: state.finished?.proof ?? null,
    next_reset: localClock(hour.resets_at, offsetAt(hour.resets_at)),
    driver_exit_code: state.last_call?.exit_code ?? null,
    driver: state.driver,
    run: state.run,
    iteration: state.iteration,
    pid: state.pid,
    tokens: totalTokens(state.usage),
    cost_usd: state.usage.cost_usd,
    ...gatesOf(state),
    seq: complete ? state.seq : null,
  });
}

/** bmalph's field about the gates of the newest answer, with what a red one does; none if none ran. */
function gatesOf({ gates, settings }: State): { quality_gates?: { overall_status: "pass" | "fail"; mode: unknown } } {
  if (gates.length === 0) return {};
  const overall_status = gates.every(({ ok }) => ok) ? "pass" : "fail";
  const { DONE_POLICY, QUALITY_GATE_MODE } = settings;
  const mode = DONE_POLICY === "evidence" && QUALITY_GATE_MODE === "warn" ? "block" : QUALITY_GATE_MODE;
  return { quality_gates: { overall_status, mode } };
}

/** The status word of the originals (from the bash original). */
export function statusWord(state: State): string {
  if (state.finished !== null) return STOP_REASONS[state.finished.reason].status;
  return state.wait === null ? "running" : "paused";
}

/** The exit reason in the originals' word; "" during the loop. */
export function exitReason(state: State): string {
  if (state.finished === null) return "";
  return state.finished.reason === "usage_limit" ? "api_5hour_limit" : state.finished.reason;
}
