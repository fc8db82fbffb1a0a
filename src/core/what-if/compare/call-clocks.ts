import { writeTimeoutMinutes } from "../../decide/write-timeout.ts";
import { MINUTE_MS } from "../../durations.ts";
import type { EventOf } from "../../journal/event.ts";
import type { State } from "../../journal/state.ts";
import type { SettingName, Settings } from "../../settings/settings.ts";
import { timeLeft } from "../../stop/bounds.ts";

/** A call as it ended, and the state and the time (epoch ms) at its start. */
export type TimedCall = {
  end: Pick<EventOf<"agent_finished">, "outcome" | "no_writes" | "ms">;
  state: State;
  at: number;
};

/** Ends a call after so many ms. */
type Limit = { name: SettingName; ms: number };

/** A clock that may end a call; `isSure`: it ends one by the time alone. */
type Clock = {
  limit: (settings: Settings, call: TimedCall) => Limit;
  ended: (call: TimedCall["end"]) => boolean;
  isSure: boolean;
};

const CLOCKS: readonly Clock[] = [
  { limit: timeout, ended: ({ outcome }) => outcome === "timed_out", isSure: true },
  {
    limit: (settings) => limitOf("WRITE_TIMEOUT_MINUTES", writeTimeoutMinutes(settings)),
    ended: ({ no_writes }) => no_writes === true,
    isSure: false,
  },
  {
    limit: (settings) => limitOf("IDLE_TIMEOUT_MINUTES", settings.IDLE_TIMEOUT_MINUTES),
    ended: ({ outcome, no_writes }) => outcome === "idle" && no_writes !== true,
    isSure: false,
  },
];

/**
 * Why a call would or might have ended at another time, in a sentence; null if no clock makes a difference. A call that was
 * shorter than a clock cannot have met it.
 */
export function limitedCall(call: TimedCall, own: Settings, other: Settings): string | null {
  for (const { limit, ended, isSure } of CLOCKS) {
    const before = limit(own, call);
    const now = limit(other, call);
    if (now.ms > before.ms && ended(call.end)) return `The call was ended by ${before.name}, and would have gone on.`;
    if (now.ms < before.ms && call.end.ms >= now.ms)
      return `${now.name} ${isSure ? "would" : "might"} have ended the call earlier.`;
  }
  return null;
}

/** The timeout, or what MAX_TIME leaves (run/call.ts). */
function timeout(settings: Settings, { state, at }: TimedCall): Limit {
  const own = limitOf("CLAUDE_TIMEOUT_MINUTES", settings.CLAUDE_TIMEOUT_MINUTES);
  const left = timeLeft(state, settings, at);
  return left < own.ms ? { name: "MAX_TIME", ms: Math.max(1, left) } : own;
}

function limitOf(name: SettingName, minutes: number): Limit {
  return { name, ms: minutes === 0 ? Number.POSITIVE_INFINITY : minutes * MINUTE_MS };
}
