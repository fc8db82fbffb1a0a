import { expect, test } from "bun:test";
import { minutesInWords, parseMinutes } from "../../../src/core/settings/minutes.ts";

test.each([
  ["15", 15],
  ["0", 0],
  ["90s", 1.5],
  ["2m", 2],
  ["1.5h", 90],
  ["1h30m", 90],
  ["1d", 1440],
  ["2M", 2],
  ["08", 8],
])("the duration %p means %p minutes", (text, minutes) => expect(parseMinutes(text)).toBe(minutes));

test.each(["", "1.5", "-3", "m", "30m1h", "1 h", "1e3", "5x", "s5", "∞"])("the text %p is no duration", (text) =>
  expect(parseMinutes(text)).toBeNull(),
);

test.each([
  [1 / 60, "1 second"],
  [1.5, "90 seconds"],
  [15, "15 minutes"],
  [480, "8 hours"],
])("%p minutes are shown as %p", (minutes, words) => expect(minutesInWords(minutes)).toBe(words));
