import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { UsageLimit } from "../../../src/core/answer/analysis-types.ts";
import { applyLimitNotice, type LimitState } from "../../../src/core/stop/usage-limit.ts";
import { seed } from "../../seed.ts";
import { HOUR, MINUTE, NOON } from "../given.ts";

const notice: UsageLimit = { kind: "usage_limit", message: "limit reached", resets_at: null };
const until = (at: number): UsageLimit => ({ ...notice, resets_at: new Date(at).toISOString() });

/** Consecutive calls that met a limit without a reset time. */
function row(n: number): LimitState | null {
  let limit: LimitState | null = null;
  for (let i = 0; i < n; i += 1) limit = applyLimitNotice(limit && { ...limit, until: null }, notice, NOON, "s");
  return limit;
}

describe("the wait for a limit", () => {
  test("backs off 1, 2, 4 … 30 minutes without a reset time", () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 50].map((n) => ((row(n)?.until ?? 0) - NOON) / MINUTE);
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });
  test("backs off if the reset time is past or invalid", () => {
    for (const resets_at of [new Date(NOON).toISOString(), new Date(NOON - HOUR).toISOString(), "soon"])
      expect(applyLimitNotice(null, { ...notice, resets_at }, NOON, "s").until).toBe(NOON + MINUTE);
  });
  test("backs off if the reset time is further away than any plan's", () => {
    const days = (n: number) => applyLimitNotice(null, until(NOON + n * 24 * HOUR), NOON, "s").until ?? 0;
    expect(days(32)).toBeGreaterThanOrEqual(NOON + 32 * 24 * HOUR);
    // Milliseconds where seconds are meant, and microseconds where milliseconds are.
    expect([days(83), days(20_000_000)]).toEqual([NOON + MINUTE, NOON + MINUTE]);
  });
  test("is one wait, however often a call reports the limit", () => {
    const first = applyLimitNotice(null, notice, NOON, "s");
    expect(applyLimitNotice(first, notice, NOON + 5000, "s")).toEqual(first);
    const exact = applyLimitNotice(first, until(NOON + HOUR), NOON + 5000, "s");
    expect(exact).toMatchObject({ count: 1, resets_at: new Date(NOON + HOUR).toISOString() });
    expect(applyLimitNotice(exact, notice, NOON + 9000, "s")).toEqual(exact);
  });
  test("lasts until the reset time plus a fixed jitter of at most a tenth of the wait and 15 s", () => {
    const wait = fc.integer({ min: 1, max: 100 * HOUR });
    fc.assert(
      fc.property(wait, fc.string(), (ms, text) => {
        const limit = applyLimitNotice(null, until(NOON + ms), NOON, text);
        const jitter = (limit.until ?? 0) - (NOON + ms);
        expect(jitter).toBeGreaterThanOrEqual(0);
        expect(jitter).toBeLessThanOrEqual(Math.min(ms / 10, 15_000));
        expect(applyLimitNotice(null, until(NOON + ms), NOON, text)).toEqual(limit);
      }),
      { seed },
    );
  });
  test("backs off too if the limit is met again although its time was over", () => {
    const soon = (at: number) => until(at + 28);
    let limit = applyLimitNotice(null, soon(NOON), NOON, "s");
    expect((limit.until ?? 0) - NOON).toBeLessThan(100);
    const minutes = [2, 3, 4, 5, 6, 7, 8].map(() => {
      limit = applyLimitNotice({ ...limit, until: null }, soon(NOON), NOON, "s");
      return ((limit.until ?? 0) - NOON) / MINUTE;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30]);
    const later = applyLimitNotice({ ...limit, until: null }, until(NOON + HOUR), NOON, "s");
    expect(later.until).toBeGreaterThanOrEqual(NOON + HOUR);
    expect(later.until).toBeLessThan(NOON + HOUR + MINUTE);
  });
  test("differs between runs that met the same limit", () => {
    const ends = Array.from(
      { length: 50 },
      (_, n) => applyLimitNotice(null, until(NOON + HOUR), NOON, `run-${n}`).until,
    );
    expect(new Set(ends).size).toBeGreaterThan(40);
  });
});
