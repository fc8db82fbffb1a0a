/** Times as the originals write them, and of the clock on the wall. All take epoch ms; an invalid time gives "". */

/** `2026-01-31T09:05:00+00:00`: whole seconds in UTC, which every platform's date program reads. */
export function isoSeconds(ms: number): string {
  return isTime(ms) ? `${new Date(ms).toISOString().slice(0, 19)}+00:00` : "";
}

/** The same for an ISO text; any other text stays unchanged. */
export function isoText(text: string): string {
  return isoSeconds(Date.parse(text)) || text;
}

/** `2026-01-31 09:05:00` in local time. */
export function localStamp(ms: number): string {
  return isTime(ms) ? `${localDay(ms)} ${localClock(ms)}` : "";
}

/** `09:05:00` in local time. */
export function localClock(ms: number): string {
  if (!isTime(ms)) return "";
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** `09:05` in local time. */
export function localMinute(ms: number): string {
  return localClock(ms).slice(0, 5);
}

/** `2026-01-31` in local time. */
export function localDay(ms: number): string {
  if (!isTime(ms)) return "";
  const date = new Date(ms);
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2026-01-31_09-05-00` in local time: safe in file names on every platform. */
export function fileStamp(ms: number): string {
  return isTime(ms) ? `${localDay(ms)}_${localClock(ms).replaceAll(":", "-")}` : "";
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function isTime(ms: number): boolean {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15;
}
