import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { addPace, type Forecast, forecastOf, leavesForecast, type TaskPace } from "../../../src/core/money/forecast.ts";
import { seed } from "../../seed.ts";

const MINUTE = 60_000;
const plan = (left: number) => ({ total: left + 4, checked: 4, unchecked: left, blocking_unchecked: left });
const paces = (...usd: (number | null)[]): TaskPace[] => usd.map((one) => ({ usd: one, ms: 10 * MINUTE, boxes: 1 }));
const stateWith = (about: Partial<Parameters<typeof forecastOf>[0]> = {}) => ({
  plan: plan(4),
  paces: paces(1, 1, 1, 1),
  usage: { ...noUsage(), cost_usd: 4 },
  work_ms: 40 * MINUTE,
  ...about,
});

describe("the forecast of a run", () => {
  test("is what was spent, and what the tasks that are left will probably take", () => {
    const forecast = forecastOf(stateWith());
    expect(forecast).toMatchObject({ tasks_left: 4, from_tasks: 4 });
    expect(forecast?.usd?.p50).toBeGreaterThan(6.5);
    expect(forecast?.usd?.p50).toBeLessThan(8);
    expect(forecast?.ms.p90).toBeGreaterThan(80 * MINUTE);
  });

  test("needs four finished tasks and one that is left", () => {
    expect(forecastOf(stateWith({ paces: paces(1, 1, 1) }))).toBeNull();
    expect(forecastOf(stateWith({ plan: plan(0) }))).toBeNull();
    expect(forecastOf(stateWith({ plan: null }))).toBeNull();
  });

  test("says nothing of money where agents tell none", () => {
    expect(forecastOf(stateWith({ paces: paces(null, null, null, null) }))?.usd).toBeNull();
    expect(forecastOf(stateWith({ paces: paces(0, 0, 0, 0) }))?.usd).toBeNull();
  });

  test("takes several boxes that were ticked at once for as many tasks, but for one observation", () => {
    const [one] = [forecastOf(stateWith({ paces: [...paces(1, 1, 1), { usd: 4, ms: 40 * MINUTE, boxes: 4 }] }))];
    expect(one?.usd?.p50).toBeCloseTo(forecastOf(stateWith())?.usd?.p50 ?? 0, 10);
  });

  test("is ordered, above what was spent, and grows with the tasks that are left", () => {
    const amounts = fc.array(fc.double({ min: 0.01, max: 50, noNaN: true }), { minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 300 }), (usd, left) => {
        const at = (n: number) => forecastOf(stateWith({ paces: paces(...usd), plan: plan(n) }))?.usd;
        const [now, more] = [at(left), at(left + 1)];
        if (now == null || more == null) throw new Error("no forecast");
        expect(now.low).toBeGreaterThanOrEqual(4);
        expect(now.low).toBeLessThanOrEqual(now.p50);
        expect(now.p50).toBeLessThanOrEqual(now.p90);
        expect(more.p50).toBeGreaterThan(now.p50);
      }),
      { seed },
    );
  });
});

describe("the alarm of a forecast", () => {
  const forecast = (usd: number, minutes: number): Forecast => ({
    tasks_left: 2,
    from_tasks: 6,
    usd: { low: usd / 2, p50: usd, p90: usd * 1.5 },
    ms: { low: minutes * MINUTE, p50: minutes * MINUTE, p90: minutes * 1.5 * MINUTE },
  });

  test("is silent while what is likely stays in the range", () => {
    expect(leavesForecast(forecast(10, 60), forecast(15, 90))).toBeNull();
  });
  test("is silent where its own figures would be the same", () => {
    expect(leavesForecast(forecast(10, 0.1), forecast(10, 0.3))).toBeNull();
    expect(leavesForecast(forecast(10, 60), forecast(10, 90.3))).toBeNull();
  });
  test("names money first, and what was forecast", () => {
    expect(leavesForecast(forecast(10, 60), forecast(16, 95))).toBe(
      "With 2 tasks left this run will cost about $16.00; it was forecast at $10.00, at most $15.00.",
    );
  });
  test("names time where the money still fits, or is unknown", () => {
    const text =
      "With 2 tasks left this run will work about 1 h 35 min; it was forecast at 1 h 0 min, at most 1 h 30 min.";
    expect(leavesForecast(forecast(10, 60), forecast(10, 95))).toBe(text);
    expect(leavesForecast({ ...forecast(10, 60), usd: null }, { ...forecast(99, 95), usd: null })).toBe(text);
  });
});

test("the paces of the newest 40 tasks are kept", () => {
  const many = paces(...Array.from({ length: 40 }, (_, n) => n));
  const added = addPace(many, { usd: 99, ms: 1, boxes: 2 });
  expect([added.length, added.at(0)?.usd, added.at(-1)?.boxes]).toEqual([40, 1, 2]);
});
