/**
 * Times as the originals write them, and of the clock on the wall. All take epoch ms; an invalid time gives "". Local ones take how many ms
 * local time is ahead of UTC then, where somebody knows it already.
 */
import { MINUTE_MS } from "../durations.ts";

/**
 * By how many ms local time is ahead of UTC at a time. The first call of a process costs 4 ms and 2 MB (measured: the runtime loads its time
 * zones), so a run has it from elsewhere (effects/local-offset.ts).
 */
export function utcOffset(ms: number): number {
  return -new Date(ms).getTimezoneOffset() * MINUTE_MS;
}

/** `2026-01-31T09:05:00+00:00`: whole seconds in UTC, which every platform's date program reads. */
export function isoSeconds(ms: number): string {
  return isTime(ms) ? `${new Date(ms).toISOString().slice(0, 19)}+00:00` : "";
}

/** The same for an ISO text; any other text stays unchanged. */
export function isoText(text: string): string {
  return isoSeconds(Date.parse(text)) || text;
}

/** `2026-01-31 09:05:00` in local time. */
export function localStamp(ms: number, offset = utcOffset(ms)): string {
  return isTime(ms) ? `${localDay(ms, offset)} ${localClock(ms, offset)}` : "";
}

/** `09:05:00` in local time. */
export function localClock(ms: number, offset = utcOffset(ms)): string {
  return isTime(ms + offset) ? new Date(ms + offset).toISOString().slice(-13, -5) : "";
}

/** `09:05` in local time. */
export function localMinute(ms: number): string {
  return localClock(ms).slice(0, 5);
}

/** `2026-01-31` in local time. */
export function localDay(ms: number, offset = utcOffset(ms)): string {
  return isTime(ms + offset) ? new Date(ms + offset).toISOString().slice(0, -14) : "";
}

/** `2026-01-31_09-05-00` in local time: safe in file names on every platform. */
export function fileStamp(ms: number, offset = utcOffset(ms)): string {
  return localStamp(ms, offset).replace(" ", "_").replaceAll(":", "-");
}

function isTime(ms: number): boolean {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15;
}
