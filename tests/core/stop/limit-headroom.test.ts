import { describe, expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { type CircuitBreaker, closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { noFailures } from "../../../src/core/stop/failure-backoff.ts";
import { tightestLimits } from "../../../src/core/stop/limit-headroom.ts";
import { boundTexts, headroomText } from "../../../src/view/live/headroom-text.ts";
import { HOUR, MINUTE, NOON, settingsOf, stateOf } from "../given.ts";

const breaker = (counts: Partial<CircuitBreaker>): CircuitBreaker =>
  ({ ...closedBreaker(), ...counts }) as CircuitBreaker;
const signals = (done: number[], indicators: number[] = [], tests: number[] = []) => ({
  done_signals: done,
  completion_indicators: indicators,
  test_only_loops: tests,
});
const open = { number: 12, call: 1, started_at: "", usage: noUsage() };
const cost = (cost_usd: number) => ({ ...noUsage(), cost_usd });

type Case = [string, Partial<State>, Partial<Settings>, number, string[]];

describe("the nearest limit", () => {
  test.each<Case>([
    ["none if nothing counts and nothing is bounded", {}, {}, 0, []],
    ["idle iterations", { breaker: breaker({ no_progress: 1 }) }, {}, 0, ["idle 1/3"]],
    [
      "only the counter closest to its threshold",
      { breaker: breaker({ no_progress: 1, same_error: 2 }) },
      {},
      0,
      ["same error 2/5"],
    ],
    [
      "no counter whose threshold is 0",
      { breaker: breaker({ no_progress: 2 }) },
      { CB_NO_PROGRESS_THRESHOLD: 0 },
      0,
      [],
    ],
    ["no denials outside of threshold mode", { breaker: breaker({ denials: 1 }) }, {}, 0, []],
    [
      "denials in threshold mode",
      { breaker: breaker({ denials: 1 }) },
      { PERMISSION_DENIAL_MODE: "threshold" },
      0,
      ["denied 1/2"],
    ],
    ["timeouts without a write", { breaker: breaker({ read_only_timeouts: 1 }) }, {}, 0, ["timed out 1/2"]],
    ["a done signal", { signals: signals([4]) }, {}, 0, ["done 1/2"]],
    ["completion indicators", { signals: signals([], [2, 3]) }, {}, 0, ["done 1/2"]],
    ["test-only iterations", { signals: signals([], [], [3, 4]) }, {}, 0, ["only tests 2/3"]],
    [
      "disputed claims instead of done signals",
      { signals: signals([3, 4], [3, 4]), held: { disputed: 2, gated: 0 } },
      { DONE_POLICY: "evidence" },
      0,
      ["disputed 2/3"],
    ],
    [
      "claims against red gates that block",
      { held: { disputed: 0, gated: 3 } },
      { DONE_POLICY: "signals", QUALITY_GATE_MODE: "block" },
      0,
      ["red gates 3/5"],
    ],
    [
      "a claim that a red gate rejected, instead of its done signal",
      { signals: signals([4]), held: { disputed: 0, gated: 1 } },
      { QUALITY_GATE_MODE: "block" },
      0,
      ["red gates 1/5"],
    ],
    [
      "no red gates if the evidence decides",
      { held: { disputed: 0, gated: 3 } },
      { DONE_POLICY: "evidence", QUALITY_GATE_MODE: "block" },
      0,
      [],
    ],
    ["no red gates that only warn", { held: { disputed: 0, gated: 3 } }, { DONE_POLICY: "signals" }, 0, []],
    ["blocked answers", { blocked: 1 }, {}, 0, ["blocked 1/2"]],
    ["failed calls", { failures: { ...noFailures(), count: 4 } }, {}, 0, ["failed 4/10"]],
    [
      "iterations, including the one under way",
      { iterations: 11, open },
      { MAX_ITERATIONS: 50 },
      0,
      ["iterations 12/50"],
    ],
    [
      "iterations against a raised bound",
      { iterations: 3, more_iterations: 2 },
      { MAX_ITERATIONS: 3 },
      0,
      ["iterations 3/5"],
    ],
    ["cost", { usage: cost(3.1) }, { MAX_COST_USD: 5 }, 0, ["$3.10 of $5"]],
    [
      "cost of a day, in its own words",
      { day_spent: { day: "2026-03-04", usd: 3.1 } },
      { MAX_COST_PER_DAY: 5 },
      0,
      ["$3.10 of $5 a day"],
    ],
    ["cost of a task, too", { task_usage: cost(3.1) }, { MAX_COST_PER_TASK: 5 }, 0, ["$3.10 of $5 a task"]],
    [
      "tokens",
      { usage: { ...noUsage(), input_tokens: 1_200_000 } },
      { MAX_TOKENS: 4_000_000 },
      0,
      ["1.2M of 4M tokens"],
    ],
    ["time", {}, { MAX_TIME: 480 }, 6 * HOUR + 12 * MINUTE, ["6 h 12 min of 8 h"]],
    ["a short time", {}, { MAX_TIME: 1.5 }, 40_000, ["40 s of 1 min 30 s"]],
    ["a time of day", {}, { STOP_AT: "07:00" }, HOUR, ["until 07:00"]],
    [
      "only the bound closest to its end",
      { iterations: 10, usage: cost(4) },
      { MAX_ITERATIONS: 50, MAX_COST_USD: 5, MAX_TIME: 480 },
      HOUR,
      ["$4.00 of $5"],
    ],
    [
      "a counter before a less used bound",
      { iterations: 10, breaker: breaker({ no_progress: 1 }) },
      { MAX_ITERATIONS: 50 },
      0,
      ["idle 1/3", "iterations 10/50"],
    ],
    [
      "a bound before a less used counter",
      { iterations: 40, breaker: breaker({ no_progress: 1 }) },
      { MAX_ITERATIONS: 50 },
      0,
      ["iterations 40/50", "idle 1/3"],
    ],
    [
      "none once the run is over",
      { finished: { reason: "max_cost", exit_code: 4, sentence: "", at: "" } },
      { MAX_COST_USD: 5 },
      0,
      [],
    ],
    ["nothing, before any run", { run: "" }, { MAX_COST_USD: 5 }, 0, []],
  ])("case: %s", (_, about, settings, since, expected) => {
    const state = stateOf({ settings: { ...settingsOf(settings) }, ...about });
    const stops = tightestLimits(state, NOON + since);
    expect(stops.map((stop) => headroomText(stop, state.started_at))).toEqual(expected);
  });

  test("is absent with unknown settings of another version", () => {
    expect(tightestLimits(stateOf({ settings: {}, breaker: breaker({ no_progress: 2 }) }), NOON)).toEqual([]);
  });
});

test("the bounds of a run's start tell money for the run from money for a task and for a day", () => {
  const bounds = { MAX_ITERATIONS: null, MAX_TIME: null, MAX_COST_USD: 10, MAX_COST_PER_TASK: 2, MAX_COST_PER_DAY: 30 };
  expect(boundTexts(settingsOf(bounds))).toEqual(["$10.00", "$2.00 a task", "$30.00 a day"]);
});
