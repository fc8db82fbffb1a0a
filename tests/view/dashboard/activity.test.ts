import { expect, test } from "bun:test";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { stepOf } from "../../../src/core/journal/event-step.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { activityOf } from "../../../src/view/dashboard/activity.ts";
import { applyEvent, emptyDashboard } from "../../../src/view/dashboard/model.ts";
import { runningRun } from "../sample-run.ts";

const { state: working } = runningRun.reduce(applyEvent, emptyDashboard("/project"));
const at = "2026-03-04T12:01:00.000Z";
const wait: State["wait"] = { why: "usage_limit", message: "", until: at };
const waiting: State = { ...working, wait };
const envelope = { v: 1, seq: 99, at, run: "r", iteration: 3 } as const;
const pause: RalphEvent = { ...envelope, type: "paused" };
const stop: RalphEvent = { ...envelope, type: "stop_requested", how: "after_iteration", by: "user" };

test.each([
  ["a pause while the agent works", working, pause, "pausing after this iteration"],
  ["a pause between iterations, which the wait shows itself", waiting, pause, undefined],
  ["a stop while the agent works", working, stop, "stopping after this iteration"],
  ["a stop between iterations", waiting, stop, "stopping now"],
])("the activity of %s", (_, before, event, text) => {
  expect(activityOf(stepOf(before, event))?.text).toBe(text);
});
