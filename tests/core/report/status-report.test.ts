import { expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { statusReport } from "../../../src/core/report/status-report.ts";
import type { StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { NOON, stateOf } from "../given.ts";

const ended = (reason: StopReason): Partial<State> => ({ finished: { reason, exit_code: 0, sentence: "", at: "" } });

test.each<[string, string, Partial<State>, boolean]>([
  ["without a run", "not_started", { run: "" }, false],
  ["of a live run", "running", {}, true],
  ["of a run whose process is gone without an end", "unknown", {}, false],
  ["after the work is done", "completed", ended("plan_complete"), false],
  ["after an open breaker", "blocked", ended("stagnation_detected"), false],
  ["after a limit", "blocked", ended("usage_limit"), false],
  ["after a stop by the user", "blocked", ended("stopped_by_user"), false],
])("the status %s is %s", (_, word, state, alive) => {
  expect(statusReport(stateOf(state), null, alive, NOON).status).toBe(word as never);
});

test.each<[string, string, Partial<State>]>([
  ["after a pause was asked for, until the iteration ends", "pausing", { paused: true }],
  ["in a pause", "paused", { paused: true, wait: { until: "", why: "paused", message: "" } }],
  ["while the agent works", "executing", {}],
])("the phase of a live run %s is %s", (_, phase, state) => {
  expect(statusReport(stateOf(state), null, true, NOON).phase).toBe(phase as never);
});
