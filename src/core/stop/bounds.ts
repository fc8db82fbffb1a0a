import { MINUTE_MS } from "../durations.ts";
import type { State } from "../journal/state.ts";
import { totalTokens } from "../journal/usage.ts";
import { minutesInWords } from "../settings/minutes.ts";
import type { Settings } from "../settings/settings.ts";
import type { StopReason } from "./stop-reasons.ts";

export type BoundSettings = Pick<Settings, "MAX_ITERATIONS" | "MAX_COST_USD" | "MAX_TOKENS" | "MAX_TIME" | "STOP_AT">;

export type ReachedBound = { reason: StopReason; sentence: string };

/**
 * The bound of this run that is reached, or null (product.md, exit code 4).
 * @param now epoch ms
 */
export function reachedBound(state: State, settings: BoundSettings, now: number): ReachedBound | null {
  const { MAX_ITERATIONS, MAX_COST_USD, MAX_TOKENS, MAX_TIME, STOP_AT } = settings;
  const cost = state.usage.cost_usd ?? 0;
  // An iteration that waits for its repeated call was let in already.
  const most = MAX_ITERATIONS === null ? null : MAX_ITERATIONS + state.more_iterations;
  if (most !== null && state.open === null && state.iterations >= most)
    return {
      reason: "max_iterations",
      sentence: `${most === 1 ? "The one allowed iteration is" : `All ${most} allowed iterations are`} used up.`,
    };
  if (MAX_COST_USD !== null && cost >= MAX_COST_USD)
    return { reason: "max_cost", sentence: `The cost reached $${cost.toFixed(2)} of $${MAX_COST_USD}.` };
  if (MAX_TOKENS !== null && totalTokens(state.usage) >= MAX_TOKENS)
    return { reason: "max_tokens", sentence: `The run used ${totalTokens(state.usage)} of ${MAX_TOKENS} tokens.` };
  if (now >= endOfTime(state, MAX_TIME))
    return { reason: "max_time", sentence: `The allowed time of ${minutesInWords(MAX_TIME ?? 0)} is over.` };
  if (now >= timeOfDay(state, STOP_AT))
    return { reason: "stop_at", sentence: `It is ${STOP_AT}, the time to stop at.` };
  return null;
}

/** Epoch ms at which a bound in time ends the run, and every wait with it; Infinity for none. */
export function deadline(state: State, { MAX_TIME, STOP_AT }: BoundSettings): number {
  return Math.min(endOfTime(state, MAX_TIME), timeOfDay(state, STOP_AT));
}

function endOfTime(state: State, minutes: number | null): number {
  return minutes === null ? Number.POSITIVE_INFINITY : orNever(Date.parse(state.started_at) + minutes * MINUTE_MS);
}

/** The first time after the start at which local clocks show `HH:MM`. */
function timeOfDay(state: State, clock: string | null): number {
  const started = Date.parse(state.started_at);
  if (clock === null || Number.isNaN(started)) return Number.POSITIVE_INFINITY;
  const [hours, minutes] = clock.split(":").map(Number);
  const day = new Date(started);
  day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  if (day.getTime() <= started) {
    day.setDate(day.getDate() + 1);
    // Again, for the days on which clocks change.
    day.setHours(hours ?? 0, minutes ?? 0, 0, 0);
  }
  return orNever(day.getTime());
}

function orNever(time: number): number {
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}
