import { expect, test } from "bun:test";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { stopTone } from "../../../src/core/stop/stop-tone.ts";

test.each<[StopReason, string]>([
  ["plan_complete", "good"],
  ["stopped_by_user", "calm"],
  ["interrupted", "calm"],
  ["max_iterations", "calm"],
  ["usage_limit", "warn"],
  ["stagnation_detected", "warn"],
  ["internal_error", "bad"],
  ["agent_unusable", "bad"],
])("the end %s has the tone %s", (reason, tone) => {
  expect(stopTone(reason, STOP_REASONS[reason].exit)).toBe(tone as ReturnType<typeof stopTone>);
});

test("the exit code gives the tone of a newer ralph's reason", () => {
  const reason = "swallowed_by_a_whale" as StopReason;
  expect([stopTone(reason, 0), stopTone(reason, 6)]).toEqual(["good", "warn"]);
});
