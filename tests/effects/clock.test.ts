import { expect, test } from "bun:test";
import { createClock, steadyClock, systemClock } from "../../src/effects/clock.ts";

const never = new AbortController().signal;

test("the system's clock tells the wall time", () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

test("a wait lasts until its moment and not less", async () => {
  const until = Date.now() + 30;
  await systemClock.sleepUntil(until, never);
  expect(Date.now()).toBeGreaterThanOrEqual(until);
});

test.each([Date.now() - 1, Number.NEGATIVE_INFINITY])("a moment that is past is not waited for", async (until) => {
  const asked: number[] = [];
  const clock = createClock(() => asked.push(0) * 0 + Date.now());
  await clock.sleepUntil(until, never);
  expect(asked).toHaveLength(1);
});

test("a wait of hours ends within a second when the clock jumps", async () => {
  const start = performance.now();
  const readings = [0, 5 * 3_600_000];
  await createClock(() => readings.shift() ?? 5 * 3_600_000).sleepUntil(5 * 3_600_000, never);
  expect(performance.now() - start).toBeLessThan(1500);
});

test("a wait ends within a second when the clock is set back, for its end may be a day away then", async () => {
  const start = performance.now();
  const readings = [24 * 3_600_000];
  await createClock(() => readings.shift() ?? 0).sleepUntil(25 * 3_600_000, never);
  expect(performance.now() - start).toBeLessThan(1500);
});

test("the steady clock goes on from now, and never back", () => {
  const [first, second] = [steadyClock.now(), steadyClock.now()];
  expect(second).toBeGreaterThanOrEqual(first);
  expect(Math.abs(first - Date.now())).toBeLessThan(60_000);
});

test.each(["before", "during"])("a stop %s a wait without end ends it", async (when) => {
  const stop = new AbortController();
  if (when === "before") stop.abort();
  const wait = systemClock.sleepUntil(Number.POSITIVE_INFINITY, stop.signal);
  stop.abort();
  await wait;
});
