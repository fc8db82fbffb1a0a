import { expect, test } from "bun:test";
import {
  type BreakerInput,
  type CircuitBreaker,
  closedBreaker,
  stepBreaker,
} from "../../../src/core/stop/circuit-breaker.ts";
import { NOON, settingsOf } from "../given.ts";

const idle: BreakerInput = { progress: "none", errors: null, denied: false, readOnlyTimeout: false, declined: false };
const failing: BreakerInput = { ...idle, progress: "made", errors: "e" };

function after(outcomes: readonly BreakerInput[], start: CircuitBreaker = closedBreaker()): CircuitBreaker {
  return outcomes.reduce(
    (breaker, outcome, index) =>
      stepBreaker(breaker, outcome, { thresholds: settingsOf(), number: index + 1, now: NOON }),
    start,
  );
}

test("an iteration without errors sets the count of the same error to nothing", () => {
  expect(after([failing, failing])).toMatchObject({ same_error: 2, fingerprint: "e" });
  expect(after([failing, failing, idle])).toMatchObject({ same_error: 0, fingerprint: null });
});

test("an iteration that was allowed everything sets the count of denials to nothing", () => {
  const denied = { ...idle, denied: true };
  expect(after([denied]).denials).toBe(1);
  expect(after([denied, idle]).denials).toBe(0);
});

test("a breaker that warns says that it does, and is no breaker on probation after its cooldown", () => {
  expect(after([idle, idle])).toMatchObject({ state: "half_open", why: "warning", no_progress: 2 });
  expect(after([idle, idle, { ...idle, progress: "asked" }])).toMatchObject({ state: "half_open", why: "warning" });
});

test("the number of the last iteration with progress outlives iterations without it", () => {
  expect(after([failing, idle, idle]).last_progress).toBe(1);
});
