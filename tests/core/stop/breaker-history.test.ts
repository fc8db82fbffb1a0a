import { expect, test } from "bun:test";
import { appendTransition, type BreakerTransition } from "../../../src/core/stop/breaker-history.ts";
import { type CircuitBreaker, closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";

const closed = closedBreaker();
const open: CircuitBreaker = {
  ...closed,
  state: "open",
  since: 0,
  reason: "stagnation_detected",
  sentence: "Nothing changed.",
};

test("the breaker's history keeps its last 50 changes, oldest first", () => {
  let history: BreakerTransition[] = [];
  for (let loop = 1; loop <= 60; loop += 1)
    history = appendTransition(history, loop % 2 === 0 ? open : closed, loop % 2 === 0 ? closed : open, "t", loop);
  expect(history.map(({ loop }) => loop)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
});

test("a breaker that stays as it is makes no history", () => {
  expect(appendTransition([], open, { ...open, since: 1 }, "t", 1)).toEqual([]);
});

test("a change of the breaker has its reason: why it opened, or that it was closed", () => {
  expect(appendTransition([], closed, open, "t", 3)).toEqual([
    { timestamp: "t", loop: 3, from_state: "CLOSED", to_state: "OPEN", reason: "Nothing changed." },
  ]);
  const half: CircuitBreaker = { ...closed, state: "half_open", why: "cooldown" };
  expect(appendTransition([], half, closed, "t", 4)[0]?.reason).toBe("Progress: the circuit recovered.");
  expect(appendTransition([], open, closed, "t", 4)[0]?.reason).toBe("Reset.");
});
