import { afterEach, beforeEach, expect, test } from "bun:test";
import { deadline, reachedBound } from "../../../src/core/stop/bounds.ts";
import { settingsOf, stateOf } from "../given.ts";

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = "Europe/Berlin";
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("STOP_AT skipped by a change of clocks today applies again tomorrow", () => {
  // On 29 March 2026 clocks in Berlin go from 02:00 to 03:00: 02:30 first exists on the next day.
  const state = stateOf({ started_at: "2026-03-29T10:00:00Z" });
  expect(new Date(deadline(state, settingsOf({ STOP_AT: "02:30" }))).toISOString()).toBe("2026-03-30T00:30:00.000Z");
});

test("STOP_AT is the next such time after the start, not the start itself", () => {
  const endOf = (started_at: string) => deadline(stateOf({ started_at }), settingsOf({ STOP_AT: "09:00" }));
  expect(endOf("2026-07-01T06:59:59Z")).toBe(Date.parse("2026-07-01T07:00:00Z"));
  expect(endOf("2026-07-01T07:00:00Z")).toBe(Date.parse("2026-07-02T07:00:00Z"));
});

test("the sentence about MAX_TIME has its duration", () => {
  const state = stateOf({ started_at: "2026-07-01T07:00:00Z" });
  expect(reachedBound(state, settingsOf({ MAX_TIME: 90 }), Date.parse("2026-07-01T08:30:00Z"))).toEqual({
    reason: "max_time",
    sentence: "The allowed time of 90 minutes is over.",
  });
});

test("an unreadable start time lets no time bound end the run", () => {
  const settings = settingsOf({ MAX_TIME: 1, STOP_AT: "09:00" });
  expect(deadline(stateOf({ started_at: "" }), settings)).toBe(Number.POSITIVE_INFINITY);
});
