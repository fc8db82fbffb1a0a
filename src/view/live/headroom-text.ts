import { MINUTE_MS } from "../../core/durations.ts";
import type { State } from "../../core/journal/state.ts";
import { type LimitHeadroom, shareUsed, tightestLimits } from "../../core/stop/limit-headroom.ts";
import type { StopReason } from "../../core/stop/stop-reasons.ts";
import { money, tokens } from "../text/figures.ts";

const SHARE_TO_WARN = 0.8;

/** The thresholds in a word or two; a reason that is none has its own form. */
const WORDS: Partial<Record<StopReason, string>> = {
  stagnation_detected: "idle",
  repeated_error: "same error",
  permission_denials: "denied",
  read_only_timeouts: "timed out",
  test_saturation: "only tests",
  completion_signals: "done",
  project_complete: "done",
  completion_disputed: "disputed",
  safety_circuit_breaker: "red gates",
  blocked: "blocked",
  infrastructure_failures: "failed",
  max_iterations: "iterations",
};

/**
 * How near a stop is, as short as it can be said: `idle 1/3`, `iterations 12/50`, `$3.10 of $5`, `6h12 of 8h`, `until 07:00`.
 * @param startedAt ISO time of the run's start
 */
export function headroomText({ reason, used, limit }: LimitHeadroom, startedAt: string): string {
  switch (reason) {
    case "max_cost":
      return `${money(used)} of ${money(limit).replace(/\.00$/, "")}`;
    case "max_tokens":
      return `${tokens(used)} of ${tokens(limit).replace(".0", "")} tokens`;
    case "max_time":
      return `${hours(used)} of ${hours(limit)}`;
    case "stop_at":
      return `until ${clock(Date.parse(startedAt) + limit)}`;
    default:
      return `${WORDS[reason] ?? reason} ${used}/${limit}`;
  }
}

/** What would stop the run, the nearest first, and whether most of the way to it is gone: `idle 1/3`, `iterations 48/50`. */
export function describeHeadroom(state: State, now: number): { reason: StopReason; text: string; isNear: boolean }[] {
  return tightestLimits(state, now).map((stop) => ({
    reason: stop.reason,
    text: headroomText(stop, state.started_at),
    isNear: shareUsed(stop) >= SHARE_TO_WARN,
  }));
}

/** `6h12`, `8h`, `45 min`, `90 s`. */
function hours(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.floor(Math.max(0, ms) / 1000)} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}h${rest === 0 ? "" : String(rest).padStart(2, "0")}`;
}

function clock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, "0")).join(":");
}
