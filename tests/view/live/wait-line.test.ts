import { expect, test } from "bun:test";
import { countdown } from "../../../src/view/live/footer.ts";
import { dayAndTime, waitLine } from "../../../src/view/live/wait-line.ts";

const now = new Date(2026, 2, 4, 12, 0, 0).getTime();
const hours = (n: number) => new Date(now + n * 3_600_000).toISOString();

test.each([
  [2, "14:00:00"],
  [11.9, "23:54:00"],
  [20, "Thu 08:00"],
  [50, "Fri 14:00"],
  [24 * 7 + 1, "2026-03-11 13:00"],
])("a wait of %d hours shows its end with an unambiguous day", (length, until) => {
  expect(waitLine("usage_limit", hours(length), now)).toBe(`Waiting for the provider's usage limit, until ${until}`);
});

test("a wait over midnight has its seconds if it is short, and its day if it is not", () => {
  const night = new Date(2026, 2, 4, 23, 58, 0).getTime();
  const shown = (minutes: number) => dayAndTime(new Date(night + minutes * 60_000).toISOString(), night);
  expect([shown(5), shown(59), shown(60), shown(6 * 60)]).toEqual(["00:03:00", "00:57:00", "Thu 00:58", "Thu 05:58"]);
});

test.each([
  [61_000, "1:01"],
  [3_661_000, "1:01:01"],
  [50 * 3_600_000 + 1000, "2 d 2:00:01"],
])("a countdown of %d ms is shown as %s", (ms, shown) => {
  expect(countdown(ms)).toBe(shown);
});
