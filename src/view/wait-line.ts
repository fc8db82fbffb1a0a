import { DAY_MS } from "../core/durations.ts";
import type { WaitReason } from "../core/event.ts";
import { clockTime } from "./clock-time.ts";
import { oneLine } from "./text.ts";

/**
 * A wait in words, for the line and for the countdown.
 * @param now epoch ms
 */
export function waitLine(why: WaitReason, message: string, until: string, now: number): string {
  const names: Record<WaitReason, string> = {
    call_budget: "Call budget used up",
    token_budget: "Token budget used up",
    usage_limit: "Waiting for the provider's usage limit",
    rate_limit: "Waiting for the provider's rate limit",
    failure: "Pausing after a failed call",
    offline: "Offline",
    paused: "Paused",
  };
  const detail = oneLine(message);
  if (why === "paused") return "Paused. Go on with: ralph resume";
  return `${names[why]}, until ${dayAndTime(until, now)}${detail === "" ? "" : `: ${detail}`}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * A time to come: `14:03:20` within a day, `Tue 14:03` within a week, else with its date.
 * @param iso ISO time
 * @param now epoch ms
 */
export function dayAndTime(iso: string, now: number): string {
  const ahead = Date.parse(iso) - now;
  const minute = clockTime(iso).slice(0, 5);
  if (ahead < DAY_MS) return clockTime(iso);
  const date = new Date(iso);
  if (ahead < 6 * DAY_MS) return `${DAYS[date.getDay()]} ${minute}`;
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day} ${minute}`;
}
