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

test("an iteration without errors resets the breaker's count of the same error", () => {
  expect(after([failing, failing])).toMatchObject({ same_error: 2, fingerprint: "e" });
  expect(after([failing, failing, idle])).toMatchObject({ same_error: 0, fingerprint: null });
});

test("an iteration without denials resets the breaker's count of denials", () => {
  const denied = { ...idle, denied: true };
  expect(after([denied]).denials).toBe(1);
  expect(after([denied, idle]).denials).toBe(0);
});

test("a warning breaker has its own state, different from one after its cooldown", () => {
  expect(after([idle, idle])).toMatchObject({ state: "half_open", why: "warning", no_progress: 2 });
  expect(after([idle, idle, { ...idle, progress: "asked" }])).toMatchObject({ state: "half_open", why: "warning" });
});

test("the breaker keeps the number of the last iteration with progress", () => {
  expect(after([failing, idle, idle]).last_progress).toBe(1);
});
