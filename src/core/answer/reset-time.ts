import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../durations.ts";

type Clock = { hour: number; minute: number };
type Day = { year: number; month: number; day: number };

/**
 * A clock time that passed so recently is the reset itself, told late or by another clock, and not tomorrow's. If it is not,
 * one more call finds out, whereas a day is lost the other way. Late by 57 minutes was seen (anthropics/claude-code#2087).
 */
const RESET_GRACE_MS = 2 * HOUR_MS;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const EPOCH = /\|(\d{10}(?:\d{3})?)\b|\bresets?(?:_?at)?"?\s{0,4}[:=]\s{0,4}"?(\d{10}(?:\d{3})?)\b/i;
/** Not the time at which a line was logged: at its beginning, or named so. */
const ISO =
  /(?<!^\W{0,3}|\btime(?:stamp)?["=: ]{1,4})\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})\b/im;
const SECONDS = /\b(?:resets?_in_seconds|retry[-_]after)"?\s{0,4}[:=]\s{0,4}"?(\d{1,9})\b/i;
const DURATION = String.raw`\d{1,9}(?:\.\d{1,12})?\s{0,2}(?:ms|weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b`;
/** Made where a limit is read: this one and the next take a start 1 ms (measured), and few runs meet one. */
const relativePattern = () =>
  new RegExp(
    String.raw`\b(?:(?:again|retry|resets?|wait|available|back)\b\D{0,20}?\b(?:in|after|for|wait)|wait)\s{1,3}(?:about\s)?((?:${DURATION}[\s,]{0,3}(?:and\s)?){1,5}|(?:\d{1,6}(?:\.\d{1,12})?(?:ms|[wdhms])){2,5})`,
    "i",
  );
/** What OpenCode calls the last one. */
const UNDER_A_MINUTE = /\bless than a minute\b/i;
const AMOUNT = /(\d+(?:\.\d+)?)\s*(ms|[wdhms])/gi;
/** `Nov 24th, 2026`, `24 Nov 2026`, `2026-11-24`, before a clock time. */
const DATE = String.raw`(?:(?<month>[A-Z][a-z]{2})[a-z]{0,6} (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?|(?<firstDay>\d{1,2}) (?<nextMonth>[A-Z][a-z]{2})[a-z]{0,6}(?:,? (?<lastYear>\d{4}))?|(?<iso>\d{4}-\d{2}-\d{2}))(?:, ?|T| )(?:at )?`;
const clockPattern = () =>
  new RegExp(
    String.raw`\b(?:resets?|until|again|available|regain access|retry-after)\b[^.\n]{0,20}?\b(?:${DATE})?(?<hours>\d{1,2})(?::(?<minutes>\d{2}))?(?::\d{2})?(?: ?(?<half>[ap])(?:\.?m\b\.?|\b))?`,
    "gi",
  );
/** Said in place of a clock time, or behind its twelve. */
const NAMED_TIME = /\b(?:12(?::00)? ?)?(midnight|noon)\b/gi;
/** Between these words and a clock time. */
const NAMED_DAY = /\b(?:(tomorrow)|(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?)\b/i;
/** A date without a time, as the limit of a gateway has it. */
const DAY_ALONE =
  /\bresets? (?:on )?(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b/;
/** Cursor names the first day of the next month of the plan, as it is written in the United States. */
const CYCLE = /\bcycle ends on (\d{1,2})\/(\d{1,2})\/(\d{4})\b/i;
/** The text after a clock time: a zone's letters, an offset, or both. */
const OFFSET = /^[ (]{0,2}(UTC|GMT|Z|[ECMP][SD]T|CES?T|BST|JST)?([+-]\d{1,2})?(?::?(\d{2}))?(?![\w:/])/;
const LETTERS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  BST: 1,
  JST: 9,
};
const ZONE = /\(([A-Za-z]+(?:[/_+-][A-Za-z0-9_+-]+)*)\)/;
/** A zone's name right behind a clock time, without brackets. */
const ZONE_BEHIND = /^ {0,2}([A-Z][A-Za-z]+\/[A-Za-z_+/-]+\d{0,2})/;

/**
 * The ISO time at which a limit ends according to an error text; null without a readable one.
 * @param now epoch ms, for durations and clock times; null reads only absolute times
 * @param zone IANA name of the user's time zone, for clock times without one
 */
export function resetTime(text: string, now: number | null, zone: string): string | null {
  const at = absolute(text) ?? (now === null ? null : (relative(text, now) ?? wallClock(text, now, zone)));
  if (at === null) return null;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/**
 * A time on the zone's clocks: `15:04`, or `2026-01-31 15:04` if that is not today.
 * @param at epoch ms
 * @param now epoch ms; null always shows the day
 */
export function formatLocalTime(at: number, now: number | null, zone: string): string {
  const { year, month, day, hour, minute } = parts(at, knownZone(undefined, zone));
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  const today = now === null ? null : dayIn(now, knownZone(undefined, zone));
  const isToday = today !== null && today.year === year && today.month === month && today.day === day;
  return `${isToday ? "" : `${date} `}${two(hour)}:${two(minute)}`;
}

function absolute(text: string): number | null {
  const epoch = EPOCH.exec(text);
  const digits = epoch?.[1] ?? epoch?.[2];
  if (digits !== undefined) return Number(digits) * (digits.length === 10 ? SECOND_MS : 1);
  const iso = ISO.exec(text)?.[0];
  return iso === undefined ? null : Date.parse(iso.replace(" ", "T"));
}

function relative(text: string, now: number): number | null {
  const seconds = SECONDS.exec(text)?.[1];
  if (seconds !== undefined) return now + Number(seconds) * SECOND_MS;
  const words = relativePattern().exec(text.replace(UNDER_A_MINUTE, "1 minute"))?.[1];
  if (words === undefined) return null;
  let ms = 0;
  for (const [, amount, unit] of words.matchAll(AMOUNT))
    ms += Number(amount) * (UNITS[(unit ?? "").toLowerCase()] ?? 0);
  return now + ms;
}

function wallClock(said: string, now: number, zone: string): number | null {
  const text = said.replace(NAMED_TIME, (_, name: string) => (name.toLowerCase() === "noon" ? "12:00 pm" : "12:00 am"));
  // A bare number is no time of day: "resets 3" may mean anything.
  const match = text.matchAll(clockPattern()).find(({ groups }) => (groups?.minutes ?? groups?.half) !== undefined);
  const { hours, minutes, half } = match?.groups ?? {};
  if (match === undefined) return cycleEnd(text, zone) ?? dayAlone(text, now, zone);
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const clock = { hour, minute: Number(minutes ?? 0) };
  if (clock.hour > 23 || clock.minute > 59) return null;
  const date = dateOf(match.groups ?? {});
  const [, tomorrow, weekday] = (date === null ? NAMED_DAY.exec(match[0]) : null) ?? [];
  const at = (from: number, where: string): number | null => {
    if (date !== null) return onDate(date, clock, from, where);
    if (tomorrow !== undefined) return instant(dayIn(from, where, 1), clock, where);
    return weekday === undefined ? nextTime(clock, from, where) : onWeekday(weekday, clock, from, where);
  };
  const behind = text.slice(match.index + match[0].length);
  const ahead = statedOffset(behind);
  if (ahead === null) return at(now, knownZone(ZONE_BEHIND.exec(behind)?.[1] ?? ZONE.exec(text)?.[1], zone));
  // A clock at a fixed offset from UTC shows the UTC time of another instant.
  const wall = at(now + ahead, "UTC");
  return wall === null ? null : wall - ahead;
}

/** A date in a text; without a year it is the next such day. */
type StatedDate = { year: number | null; month: number; day: number };

function dateOf(groups: Readonly<Record<string, string | undefined>>): StatedDate | null {
  const { iso } = groups;
  if (iso !== undefined) {
    const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
    return { year, month, day };
  }
  const name = groups.month ?? groups.nextMonth;
  const year = groups.year ?? groups.lastYear;
  if (name === undefined) return null;
  return {
    year: year === undefined ? null : Number(year),
    month: MONTHS.indexOf(name.toLowerCase()) + 1,
    day: Number(groups.day ?? groups.firstDay),
  };
}

function cycleEnd(text: string, zone: string): number | null {
  const [month, day, year] = (CYCLE.exec(text)?.slice(1) ?? []).map(Number);
  if (month === undefined || day === undefined || year === undefined) return null;
  return existing({ year, month, day }, { hour: 0, minute: 0 }, knownZone(undefined, zone));
}

/** The beginning of a day that is named alone. */
function dayAlone(text: string, now: number, zone: string): number | null {
  const [, name = "", day, year] = DAY_ALONE.exec(text) ?? [];
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  if (month === 0) return null;
  const date = { year: year === undefined ? null : Number(year), month, day: Number(day) };
  return onDate(date, { hour: 0, minute: 0 }, now, knownZone(ZONE.exec(text)?.[1], zone));
}

/** The offset from UTC, in ms, of the zone after a clock time; null if neither letters nor numbers state one. */
function statedOffset(after: string): number | null {
  const [, letters, hours, minutes] = OFFSET.exec(after) ?? [];
  if (letters === undefined && hours === undefined) return null;
  const base = letters === undefined ? 0 : (LETTERS[letters] ?? 0);
  const sign = hours?.startsWith("-") === true ? -1 : 1;
  return (base + Number(hours ?? 0) + (sign * Number(minutes ?? 0)) / 60) * HOUR_MS;
}

function onDate({ year, month, day }: StatedDate, clock: Clock, now: number, zone: string): number | null {
  if (year !== null) return existing({ year, month, day }, clock, zone);
  const today = dayIn(now, zone);
  const inYear = (ahead: number) => existing({ year: today.year + ahead, month, day }, clock, zone);
  // At New Year a date of December has just passed.
  const [lastYear, thisYear] = [inYear(-1), inYear(0)];
  if (lastYear !== null && lastYear >= now - 30 * DAY_MS) return lastYear;
  if (thisYear === null || thisYear >= now - 30 * DAY_MS) return thisYear;
  return inYear(1);
}

/** The instant of a time on a day; null for a day that no calendar has. */
function existing(date: Day, clock: Clock, zone: string): number | null {
  const utc = new Date(Date.UTC(date.year, date.month - 1, date.day));
  const exists = utc.getUTCMonth() === date.month - 1 && utc.getUTCDate() === date.day;
  return exists ? instant(date, clock, zone) : null;
}

/** The next time at which clocks in the zone show this, or the one that has just passed: midnight may lie in between. */
function nextTime(clock: Clock, now: number, zone: string): number {
  const on = (ahead: number) => instant(dayIn(now, zone, ahead), clock, zone);
  return [-1, 0].map(on).find((at) => at > now - RESET_GRACE_MS) ?? on(1);
}

/** The next such day of the week, or the one that has just passed. */
function onWeekday(name: string, clock: Clock, now: number, zone: string): number | null {
  const days = Array.from({ length: 9 }, (_, index) => dayIn(now, zone, index - 1));
  const named = days.filter(
    ({ year, month, day }) => WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] === name.toLowerCase(),
  );
  return named.map((day) => instant(day, clock, zone)).find((at) => at > now - RESET_GRACE_MS) ?? null;
}

/** The instant of a wall clock time. Looks the offset up twice, since the first guess may be across a clock change. */
function instant({ year, month, day }: Day, { hour, minute }: Clock, zone: string): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const guess = wall - offset(wall, zone);
  return wall - offset(guess, zone);
}

/** The zone's offset from UTC at that instant, in ms. */
function offset(at: number, zone: string): number {
  const { year, month, day, hour, minute } = parts(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** The day there, or `ahead` days later: by the calendar, since a day with a clock change has not 24 hours. */
function dayIn(at: number, zone: string, ahead = 0): Day {
  const { year, month, day } = parts(at, zone);
  const date = new Date(Date.UTC(year, month - 1, day + ahead));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function parts(at: number, zone: string): Day & Clock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return { year, month, day, hour, minute };
}

/** The zone if this runtime knows it, else the fallback. */
function knownZone(name: string | undefined, fallback: string): string {
  for (const zone of [name, fallback]) {
    try {
      if (zone !== undefined) return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
    } catch {
      // A word in brackets that is no zone.
    }
  }
  return "UTC";
}
