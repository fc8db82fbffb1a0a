import { expect, test } from "bun:test";
import { countdown } from "../../../src/view/live/footer.ts";
import { waitLine } from "../../../src/view/live/wait-line.ts";

const now = new Date(2026, 2, 4, 12, 0, 0).getTime();
const hours = (n: number) => new Date(now + n * 3_600_000).toISOString();

test.each([
  [2, "14:00:00"],
  [20, "08:00:00"],
  [50, "Fri 14:00"],
  [24 * 7 + 1, "2026-03-11 13:00"],
])("a wait of %d hours shows its end with an unambiguous day", (length, until) => {
  expect(waitLine("usage_limit", hours(length), now)).toBe(`Waiting for the provider's usage limit, until ${until}`);
});

test.each([
  [61_000, "1:01"],
  [3_661_000, "1:01:01"],
  [50 * 3_600_000 + 1000, "2 d 2:00:01"],
])("a countdown of %d ms is shown as %s", (ms, shown) => {
  expect(countdown(ms)).toBe(shown);
});
