import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import type { WaitReason } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { deadline } from "../../core/stop/bounds.ts";
import { localClock, localDay, localMinute } from "../../core/text/time-text.ts";

/** `brief` stands beside a countdown, `whole` is a sentence. */
const WORDS: Record<WaitReason, { brief: string; whole: string }> = {
  call_budget: { brief: "call budget", whole: "Call budget used up" },
  token_budget: { brief: "token budget", whole: "Token budget used up" },
  usage_limit: { brief: "usage limit", whole: "Waiting for the provider's usage limit" },
  rate_limit: { brief: "rate limit", whole: "Waiting for the provider's rate limit" },
  failure: { brief: "failed call", whole: "Pausing after a failed call" },
  offline: { brief: "offline", whole: "Offline" },
  idle: { brief: "nothing changed", whole: "Pausing, because nothing changes" },
  paused: { brief: "Paused", whole: "Paused" },
};

/** The reason for a wait, in a word or two. */
export function waitWords(why: WaitReason): string {
  return WORDS[why].brief;
}

/**
 * A wait in words; the event that caused it has a line of its own.
 * @param now epoch ms
 */
export function waitLine(why: WaitReason, until: string, now: number): string {
  if (why === "paused") return "Paused. Go on with: ralph resume";
  return `${WORDS[why].whole}, until ${dayAndTime(until, now)}`;
}

/** The same of a run's wait. Its own time may cut that short: then nothing goes on at its end, and no limit is over. */
export function runWaitLine({ why, until }: NonNullable<State["wait"]>, state: State, now: number): string {
  const line = waitLine(why, until, now);
  const isCut = why !== "paused" && Date.parse(until) >= deadline(state, state.settings);
  return isCut ? `${line}, when the run's time is over` : line;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * A future time: `14:03:20` today or within the hour, `Tue 14:03` within a week, else with its date. Who reads in the evening that a limit
 * resets at 05:30 must not take it for over.
 * @param iso ISO time
 * @param now epoch ms
 */
export function dayAndTime(iso: string, now: number): string {
  const at = Date.parse(iso);
  const ahead = at - now;
  if (ahead < HOUR_MS || localDay(at) === localDay(now)) return localClock(at);
  const day = ahead < 6 * DAY_MS ? DAYS[new Date(at).getDay()] : localDay(at);
  return `${day} ${localMinute(at)}`;
}
