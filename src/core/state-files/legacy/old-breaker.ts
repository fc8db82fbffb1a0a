import { isRecord, jsonIn } from "../../json-value.ts";
import type { BreakerStateName, BreakerTransition } from "../../stop/breaker-history.ts";
import { type BreakerReason, type CircuitBreaker, closedBreaker } from "../../stop/circuit-breaker.ts";
import { parseCount, parseTime, textOrEmpty, toIsoTime } from "./old-json.ts";

/** A breaker from an old file; `oddity` names the guessed part. */
export type OldBreaker = { breaker: CircuitBreaker; oddity: string | null };

/**
 * Reads `.circuit_breaker_state` of both originals. v0.9 files have neither `opened_at` nor a counter of denials: the
 * time of `last_change` replaces a missing `opened_at`, and `now` (epoch ms) both.
 * @returns null if the text is no such file
 */
export function readBreaker(text: string, now: number): OldBreaker | null {
  const file = jsonIn(text);
  if (!isRecord(file) || typeof file.state !== "string") return null;
  const counters = {
    ...closedBreaker(),
    no_progress: parseCount(file.consecutive_no_progress) ?? 0,
    same_error: parseCount(file.consecutive_same_error) ?? 0,
    denials: parseCount(file.consecutive_permission_denials) ?? 0,
    read_only_timeouts: parseCount(file.consecutive_read_only_timeouts) ?? 0,
    total_opens: parseCount(file.total_opens) ?? 0,
    last_progress: parseCount(file.last_progress_loop) ?? 0,
  };
  const reason = textOrEmpty(file.reason);
  const word = file.state.trim().toUpperCase();
  if (word === "OPEN") {
    const since = parseTime(file.opened_at) ?? parseTime(file.last_change);
    const breaker = {
      ...counters,
      state: "open",
      since: since ?? now,
      reason: openReason(reason),
      sentence: reason,
    } as const;
    return { breaker, oddity: since === null ? "it does not say since when, so the cooldown begins now" : null };
  }
  if (word === "HALF_OPEN")
    return {
      breaker: { ...counters, state: "half_open", why: halfOpenWhy(reason, counters.no_progress) },
      oddity: null,
    };
  return {
    breaker: counters,
    oddity: word === "CLOSED" ? null : `its state "${file.state}" is none, so it is taken as CLOSED`,
  };
}

/** Reads `.circuit_breaker_history` without its invalid rows. Null if the text is no list. */
export function readBreakerHistory(text: string): BreakerTransition[] | null {
  const rows = jsonIn(text);
  if (!Array.isArray(rows)) return null;
  return rows.flatMap((row: unknown) => {
    if (!isRecord(row)) return [];
    const [timestamp, from_state, to_state] = [
      toIsoTime(row.timestamp),
      breakerWordOf(row.from_state),
      breakerWordOf(row.to_state),
    ];
    if (timestamp === null || from_state === null || to_state === null) return [];
    return [{ timestamp, loop: parseCount(row.loop) ?? 0, from_state, to_state, reason: textOrEmpty(row.reason) }];
  });
}

function breakerWordOf(value: unknown): BreakerStateName | null {
  return value === "CLOSED" || value === "HALF_OPEN" || value === "OPEN" ? value : null;
}

/** The originals store the reason only as a sentence. */
function openReason(sentence: string): BreakerReason {
  if (/denied|denial|permission/iu.test(sentence)) return "permission_denials";
  if (/read.?only|timed? ?out/iu.test(sentence)) return "read_only_timeouts";
  if (/same error|repeated error|error came back/iu.test(sentence)) return "repeated_error";
  if (/declin|shrank/iu.test(sentence)) return "output_decline";
  return "stagnation_detected";
}

/**
 * The originals enter HALF_OPEN after two idle iterations as a warning. More idle iterations, or a mention of the
 * cooldown, mean recovery from OPEN.
 */
function halfOpenWhy(reason: string, noProgress: number): "cooldown" | "warning" {
  if (/monitor/iu.test(reason)) return "warning";
  return /cool/iu.test(reason) || noProgress > 2 ? "cooldown" : "warning";
}
