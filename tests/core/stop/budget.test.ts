import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type BudgetState,
  carriedBudget,
  charge,
  emptyBudget,
  nextAllowed,
  refund,
  spentInHour,
} from "../../../src/core/stop/budget.ts";
import { seed } from "../../seed.ts";
import { HOUR, MINUTE, NOON } from "../given.ts";

const limits = { calls: 3, tokens: 0 };
const call = { calls: 1, tokens: 0 };
const zone = process.env.TZ;

afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

function calls(times: readonly number[]): BudgetState {
  return times.reduce((budget, at) => charge(budget, at, call), emptyBudget());
}

describe("the call budget", () => {
  test("allows the first call and names the end of the clock hour", () => {
    expect(nextAllowed(emptyBudget(), limits, NOON + 20 * MINUTE)).toEqual({ allowed: true, resets_at: NOON + HOUR });
  });
  test("is used up after the allowed calls, until the clock hour ends", () => {
    const budget = calls([NOON + 58 * MINUTE, NOON + 59 * MINUTE, NOON + HOUR - 1]);
    const refused = { allowed: false, resets_at: NOON + HOUR, why: "call_budget" } as const;
    expect(nextAllowed(budget, limits, NOON + HOUR - 1)).toEqual(refused);
    expect(nextAllowed(budget, limits, NOON + HOUR)).toMatchObject({ allowed: true });
    expect(charge(budget, NOON + HOUR, call)).toMatchObject({ hour: "2026030413", calls: 1 });
    const spent = [NOON + HOUR - 1, NOON + HOUR].map((now) => spentInHour(budget, now).calls);
    expect(spent).toEqual([3, 0]);
  });
  test("stays in its hour when the clock goes back", () => {
    const budget = calls([NOON, NOON, NOON]);
    expect(nextAllowed(budget, limits, NOON - 5 * HOUR)).toMatchObject({ allowed: false, resets_at: NOON + HOUR });
    expect(charge(budget, NOON - 5 * HOUR, call)).toMatchObject({ hour: "2026030412", calls: 4 });
  });
  test("counts tokens too if they have a bound", () => {
    const budget = charge(calls([NOON]), NOON, { calls: 0, tokens: 500 });
    expect(nextAllowed(budget, { calls: 3, tokens: 500 }, NOON)).toMatchObject({ allowed: false, why: "token_budget" });
    expect(nextAllowed(budget, { calls: 3, tokens: 501 }, NOON).allowed).toBe(true);
    expect(nextAllowed(budget, limits, NOON).allowed).toBe(true);
  });
  test("refunds a limited call, never more than was spent", () => {
    expect(refund(calls([NOON, NOON])).calls).toBe(1);
    expect(refund(emptyBudget()).calls).toBe(0);
  });
  test("ignores an invalid time", () => expect(charge(calls([NOON]), Number.NaN, call).calls).toBe(2));
});

describe("the clock hour", () => {
  const cases: [string, string, string, string, string][] = [
    [
      "Europe/Berlin",
      "the hour that autumn repeats, first time",
      "2026-10-25T00:30:00Z",
      "2026102502",
      "2026-10-25T01:00:00Z",
    ],
    [
      "Europe/Berlin",
      "the hour that autumn repeats, second time",
      "2026-10-25T01:30:00Z",
      "2026102502",
      "2026-10-25T02:00:00Z",
    ],
    [
      "Europe/Berlin",
      "the hour before the one that spring skips",
      "2026-03-29T00:30:00Z",
      "2026032901",
      "2026-03-29T01:00:00Z",
    ],
    ["Asia/Kolkata", "an offset with half an hour", "2026-03-04T06:40:00Z", "2026030412", "2026-03-04T07:30:00Z"],
    [
      "America/St_Johns",
      "a negative offset with half an hour",
      "2026-03-04T02:45:00Z",
      "2026030323",
      "2026-03-04T03:30:00Z",
    ],
    ["UTC", "the last hour of a year", "2026-12-31T23:59:59Z", "2026123123", "2027-01-01T00:00:00Z"],
  ];
  for (const [timeZone, name, at, hour, end] of cases) {
    test(`is local in ${timeZone}: ${name}`, () => {
      process.env.TZ = timeZone;
      expect(calls([Date.parse(at)])).toMatchObject({ hour, resets_at: Date.parse(end) });
    });
  }
});

test.each(["UTC", "Asia/Kolkata", "America/St_Johns"])(
  "whoever reads a journal in %s finds the hours of its run",
  (zone) => {
    process.env.TZ = zone;
    const nepal = carriedBudget(emptyBudget(), NOON, 5 * HOUR + 45 * MINUTE);
    const spent = charge(nepal, Date.parse("2026-03-04T06:20:00Z"), call);
    expect(spent).toMatchObject({ hour: "2026030412", resets_at: Date.parse("2026-03-04T07:15:00Z"), calls: 1 });
    // The next hour of the same run.
    expect(charge(spent, spent.resets_at, call)).toMatchObject({ hour: "2026030413", calls: 1 });
  },
);

test("the call budget holds in every hour, however the clock jumps", () => {
  const jump = fc.oneof(fc.integer({ min: 0, max: 20 * MINUTE }), fc.integer({ min: -3 * HOUR, max: 3 * HOUR }));
  fc.assert(
    fc.property(fc.array(jump, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (jumps, allowed) => {
      let budget = emptyBudget();
      let now = NOON;
      // The newest hour with a call: a clock that was set back makes its calls in that hour.
      let newest = 0;
      const perHour = new Map<number, number>();
      for (const one of jumps) {
        now += one;
        const allowance = nextAllowed(budget, { calls: allowed, tokens: 0 }, now);
        expect(allowance.resets_at).toBeGreaterThan(now);
        if (!allowance.allowed) continue;
        budget = charge(budget, now, call);
        newest = Math.max(newest, now);
        const hour = Math.floor(newest / HOUR);
        perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
      }
      for (const count of perHour.values()) expect(count).toBeLessThanOrEqual(allowed);
    }),
    { seed },
  );
});
