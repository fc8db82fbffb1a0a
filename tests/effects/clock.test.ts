import { expect, test } from "bun:test";
import { createClock, steadyClock, systemClock } from "../../src/effects/clock.ts";

const HOUR = 3_600_000;
const never = new AbortController().signal;

test("the system clock returns the wall time", () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test("a wait does not end early", async () => {
  const until = Date.now() + 30;
  await systemClock.sleepUntil(until, never);
  expect(Date.now()).toBeGreaterThanOrEqual(until);
});

test.each([Date.now() - 1, Number.NEGATIVE_INFINITY])("a wait for the past moment %p ends at once", async (until) => {
  const asked: number[] = [];
  const clock = createClock(() => asked.push(0) * 0 + Date.now());
  await clock.sleepUntil(until, never);
  expect(asked).toHaveLength(1);
});

test.each([
  ["jumps over its end", [0, 5 * HOUR], 5 * HOUR],
  ["is set back, because its end may now be a day away", [24 * HOUR, 0], 25 * HOUR],
])("a wait of hours ends within a second when the clock %s", async (_, readings, until) => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  await createClock(() => readings.shift() ?? Number.NaN, pause).sleepUntil(until, never);
  expect(pauses).toEqual([1000]);
});

test("a wait continues when the clock is only corrected, and its last slice is only the remaining time", async () => {
  const pauses: number[] = [];
  const readings = [10_000, 6_000, 12_700];
  const pause = async (ms: number) => void pauses.push(ms);
  await createClock(() => readings.shift() ?? 13_000, pause).sleepUntil(13_000, never);
  expect(pauses).toEqual([1000, 1000, 300]);
});

test("the steady clock starts at the current time and never goes back", () => {
  const [first, second] = [steadyClock.now(), steadyClock.now()];
  expect(second).toBeGreaterThanOrEqual(first);
  expect(Math.abs(first - Date.now())).toBeLessThan(60_000);
});

test.each(["before", "during"])("a stop %s an endless wait ends it", async (when) => {
  const stop = new AbortController();
  if (when === "before") stop.abort();
  const wait = systemClock.sleepUntil(Number.POSITIVE_INFINITY, stop.signal);
  stop.abort();
  await wait;
});
