import { expect, test } from "bun:test";
import { formatLocalTime, resetTime } from "../../../src/core/answer/reset-time.ts";

const NOW = Date.parse("2026-11-21T20:00:00Z");
const read = (words: string) => resetTime(`limit reached, ${words}`, NOW, "UTC");

test.each([
  ["a date that passed within the last 30 days", "resets Oct 23, 3pm", "2026-10-23T15:00:00.000Z"],
  ["a date that passed yesterday", "resets Nov 20, 3pm", "2026-11-20T15:00:00.000Z"],
])("the date %s belongs to this year, and the reset is over", (_, words, time) => expect(read(words)).toBe(time));

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
  ["resets Tue, 24 Nov 2026 15:00:00 GMT", "2026-11-24T15:00:00.000Z"],
  ["resets Mon 12:00 AM", "2026-11-22T00:00:00.000Z"],
  // cursor/cursor#3703
  ["Your usage limits will reset when your monthly cycle ends on 12/17/2026.", "2026-12-17T00:00:00.000Z"],
])("a reset is read with the zone behind its date: %s", (words, time) => expect(read(words)).toBe(time));

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
