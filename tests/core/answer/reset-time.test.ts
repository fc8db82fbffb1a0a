import { expect, test } from "bun:test";
import { formatLocalTime, resetTime } from "../../../src/core/answer/reset-time.ts";

const NOW = Date.parse("2026-11-21T20:00:00Z");
const read = (words: string) => resetTime(`limit reached, ${words}`, NOW, "UTC");

test.each([
  ["a date that passed within the last 30 days", "resets Oct 23, 3pm", "2026-10-23T15:00:00.000Z"],
  ["a date that passed yesterday", "resets Nov 20, 3pm", "2026-11-20T15:00:00.000Z"],
])("the date %s belongs to this year, and the reset is over", (_, words, time) => expect(read(words)).toBe(time));

test.each([
  ["resets Nov 28", "2026-11-28T00:00:00.000Z"],
  ["it resets on December 1st.", "2026-12-01T00:00:00.000Z"],
  ["resets Jan 2, 2027 · request an increase", "2027-01-02T00:00:00.000Z"],
  ["resets Feb 30", null],
  ["resets Row 12", null],
  ["resets Nov 289", null],
])("a reset date without a time begins with its day: %s", (words, time) => expect(read(words)).toBe(time));

test("a reset date more than 30 days ago belongs to next year", () => {
  expect(read("resets Oct 22, 3pm")).toBe("2027-10-22T15:00:00.000Z");
});

test("a reset date with a year keeps it, however long ago", () => {
  expect(read("resets Jan 2, 2026, 3pm")).toBe("2026-01-02T15:00:00.000Z");
});

test("a reset time may have a blank instead of the T", () => {
  expect(read("resets at 2026-11-22 01:30:00+02:00")).toBe("2026-11-21T23:30:00.000Z");
});

test.each([
  ["JST", "2026-11-22T06:00:00.000Z"],
  ["EST", "2026-11-21T20:00:00.000Z"],
  ["EDT", "2026-11-21T19:00:00.000Z"],
  ["CST", "2026-11-21T21:00:00.000Z"],
  ["CDT", "2026-11-21T20:00:00.000Z"],
  ["MST", "2026-11-21T22:00:00.000Z"],
  ["MDT", "2026-11-21T21:00:00.000Z"],
  ["PST", "2026-11-21T23:00:00.000Z"],
  ["PDT", "2026-11-21T22:00:00.000Z"],
  ["CET", "2026-11-22T14:00:00.000Z"],
  ["CEST", "2026-11-22T13:00:00.000Z"],
  ["BST", "2026-11-22T14:00:00.000Z"],
  ["GMT", "2026-11-22T15:00:00.000Z"],
  ["UTC", "2026-11-22T15:00:00.000Z"],
])("the reset time of 3 pm %s is %s", (letters, time) => expect(read(`resets 3:00pm ${letters}`)).toBe(time));

test("a formatted local time includes the day unless it is today in the zone", () => {
  const late = Date.parse("2026-11-21T23:30:00Z");
  expect(formatLocalTime(late, NOW, "UTC")).toBe("23:30");
  expect(formatLocalTime(late, NOW, "Asia/Tokyo")).toBe("08:30");
  expect(formatLocalTime(late, NOW, "Europe/Berlin")).toBe("2026-11-22 00:30");
  expect(formatLocalTime(late, null, "UTC")).toBe("2026-11-21 23:30");
});

test("less than a minute is a minute: OpenCode names the last one so", () => {
  const words = "5 hour usage limit reached. It will reset in less than a minute. To continue using this model now";
  expect(read(words)).toBe(new Date(NOW + 60_000).toISOString());
});

test.each([
  ["resets Feb 30, 3pm (UTC)"],
  ["resets Nov 31, 3pm (UTC)"],
  ["resets Feb 29, 3pm (UTC)"],
  ["try again at 2026-02-30 15:00 UTC"],
  ["Your monthly cycle ends on 13/17/2026"],
])("a day that no calendar has is no reset: %s", (words) => expect(read(words)).toBeNull());

test.each([
  ["try again at 2026-11-22 15:00 UTC", "2026-11-22T15:00:00.000Z"],
  ["try again at 2026-11-22 15:00:00 +0200", "2026-11-22T13:00:00.000Z"],
  ["try again at 2026-11-22 15:00:00 +02:00", "2026-11-22T13:00:00.000Z"],
  ["resets at 2026-11-22 15:00 (Europe/Berlin)", "2026-11-22T14:00:00.000Z"],
  ["resets at 2026-11-22T15:00:00", "2026-11-22T15:00:00.000Z"],
  ["resets Nov 24, 3pm Europe/Berlin", "2026-11-24T14:00:00.000Z"],
  ["resets 3pm America/New_York", "2026-11-21T20:00:00.000Z"],
  ["resets Nov 24, 3pm (GMT+05:30)", "2026-11-24T09:30:00.000Z"],
  ["resets Nov 24, 15:00+02:00", "2026-11-24T13:00:00.000Z"],
  ["try again at 24 Nov 2026 15:00 CET", "2026-11-24T14:00:00.000Z"],
  ["You will regain access on 2026-12-01 at 00:00 UTC.", "2026-12-01T00:00:00.000Z"],
  ["resets Tue, 24 Nov 2026 15:00:00 GMT", "2026-11-24T15:00:00.000Z"],
  // cursor/cursor#3703
  ["Your usage limits will reset when your monthly cycle ends on 12/17/2026.", "2026-12-17T00:00:00.000Z"],
])("a reset is read with the zone behind its date: %s", (words, time) => expect(read(words)).toBe(time));

test.each([
  ["resets at midnight", "2026-11-22T00:00:00.000Z"],
  ["resets at noon", "2026-11-22T12:00:00.000Z"],
  ["resets at midnight UTC", "2026-11-22T00:00:00.000Z"],
  ["Your quota resets at Midnight (America/New_York)", "2026-11-22T05:00:00.000Z"],
  ["try again after 12:00 noon CET", "2026-11-22T11:00:00.000Z"],
  ["resets at 12 midnight", "2026-11-22T00:00:00.000Z"],
  ["resets Monday at noon", "2026-11-23T12:00:00.000Z"],
  ["resets Nov 24 at midnight", "2026-11-24T00:00:00.000Z"],
  ["resets in the afternoon", null],
  ["the midnight backup failed", null],
])("midnight and noon are clock times: %s", (words, time) => expect(read(words)).toBe(time));

test("a reset time that passed less than two hours ago is over, not tomorrow's", () => {
  expect(read("resets 7:50pm")).toBe("2026-11-21T19:50:00.000Z");
  // Told 57 minutes late in anthropics/claude-code#2087.
  expect(read("resets 7:03pm")).toBe("2026-11-21T19:03:00.000Z");
  expect(read("resets 5:59pm")).toBe("2026-11-22T17:59:00.000Z");
});

test.each([
  ["11:59pm", "2026-11-21T23:59:00.000Z", "2026-11-22T00:00:30Z"],
  ["11:30pm", "2026-11-21T23:30:00.000Z", "2026-11-22T00:10:00Z"],
  ["12:30am", "2026-11-22T00:30:00.000Z", "2026-11-22T00:10:00Z"],
  ["Dec 31, 11pm", "2026-12-31T23:00:00.000Z", "2027-01-01T00:10:00Z"],
])("the reset time %s that midnight has just divided from now is that of yesterday", (time, at, now) => {
  expect(resetTime(`limit reached, resets ${time}`, Date.parse(now), "UTC")).toBe(at);
});

test.each([
  // anthropics/claude-code, its own page of errors: a weekly limit names the day.
  ["resets Mon 12:00am", "2026-11-23T00:00:00.000Z"],
  ["resets Monday at 9am (Europe/Berlin)", "2026-11-23T08:00:00.000Z"],
  ["resets Sat 7pm", "2026-11-21T19:00:00.000Z"],
  ["resets Sat 5pm", "2026-11-28T17:00:00.000Z"],
  ["resets Sun 8am (Asia/Tokyo)", "2026-11-21T23:00:00.000Z"],
  ["resets Thursday 3pm", "2026-11-26T15:00:00.000Z"],
  ["resets tomorrow at 11pm", "2026-11-22T23:00:00.000Z"],
  ["resets tomorrow at 3am (Europe/Berlin)", "2026-11-22T02:00:00.000Z"],
])("a reset on a named day is on that day: %s", (words, time) => expect(read(words)).toBe(time));

test("a weekday is that of the zone on the day of a clock change", () => {
  const at = resetTime("limit reached, resets Sun 9am (Europe/Berlin)", Date.parse("2026-10-23T12:00:00Z"), "UTC");
  expect(at).toBe("2026-10-25T08:00:00.000Z");
});

test.each([
  [
    "2026-11-21T19:59:58.123456Z ERROR codex_core: usage limit reached, try again in 3 hours",
    "2026-11-21T23:00:00.000Z",
  ],
  [
    "2026-11-21T19:59:58.123Z ERROR codex_core: stream error\nERROR: You've hit your usage limit. Try again at Nov 24th, 2026 4:13 PM.",
    "2026-11-24T16:13:00.000Z",
  ],
  ["[2026-11-21 19:59:58+00:00] usage limit reached, resets 9pm", "2026-11-21T21:00:00.000Z"],
  ["timestamp=2026-11-21T19:59:58.000Z level=ERROR usage limit reached", null],
  ['{"timestamp":"2026-11-21T19:59:58Z","resets_at":"2026-11-21T22:00:00Z"}', "2026-11-21T22:00:00.000Z"],
])("the time at which a line was logged is no reset: %j", (text, time) => {
  expect(resetTime(text, NOW, "UTC")).toBe(time);
});

test.each([
  ["Please try again in 1m12.5s.", 72_500],
  ["Please retry in 34.074824224s.", 34_074.824224],
  ["Resets in 167h39m40s.", ((167 * 60 + 39) * 60 + 40) * 1000],
  ["Try again in 1 week.", 7 * 86_400_000],
  ["Please wait 20 minutes before trying again or consider switching to Auto.", 1_200_000],
  ["Try again in 1 week 2 days.", 9 * 86_400_000],
])("a wait is read with its fractions and weeks: %s", (words, ms) => {
  expect(read(words)).toBe(new Date(NOW + Math.trunc(ms)).toISOString());
});

test.each([
  ["available 0 premium requests"],
  ["no requests available until 5 per day"],
  ["try again 3 attempts later"],
])("a number before a word is no time of day: %s", (words) => expect(read(words)).toBeNull());

test.each([
  ["available 0 premium requests, resets 9pm", "2026-11-21T21:00:00.000Z"],
  ["Retry-After: Sun, 22 Nov 2026 07:28:00 GMT", "2026-11-22T07:28:00.000Z"],
  ["x-ratelimit-reset: 1795348800", "2026-11-22T12:00:00.000Z"],
  ["resets 9 p.m. (UTC)", "2026-11-21T21:00:00.000Z"],
  ["resets 9p", "2026-11-21T21:00:00.000Z"],
])("a reset is read: %s", (words, time) => expect(read(words)).toBe(time));

test.each([
  ["resets 9am (Europe/Berlin)"],
  ["resets Sun 9am (Europe/Berlin)"],
  ["resets tomorrow at 9am (Europe/Berlin)"],
])("late on the evening before a day of 23 hours the next day is not left out: %s", (words) => {
  const at = resetTime(`limit reached, ${words}`, Date.parse("2026-03-28T22:30:00Z"), "UTC");
  expect(at).toBe("2026-03-29T07:00:00.000Z");
});
