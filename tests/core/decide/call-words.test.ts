import { expect, test } from "bun:test";
import { assessCall, type CallEvidence } from "../../../src/core/decide/call-assessment.ts";
import { ended } from "./ended-call.ts";

const failed: CallEvidence = { ...ended, outcome: "failed", exit_code: 1 };
const messageOf = (end: Partial<CallEvidence>) => assessCall({ ...failed, ...end }).error?.message;

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])(
  "the signal %s comes from outside, so the output is no cause",
  (signal) => {
    expect(messageOf({ signal, exit_code: null, plainLines: ["Reading prompt from stdin..."] })).toBe(
      `The agent was ended by ${signal} before it had answered.`,
    );
  },
);

test.each<[Partial<CallEvidence>, string]>([
  [{}, "The agent ended without a final event (exit 1)."],
  [{ exit_code: null }, "The agent ended without a final event (exit unknown)."],
  [{ hasFinalEvent: false }, "The agent exited with 1."],
  [{ hasFinalEvent: false, exit_code: null }, "The agent exited with an unknown code."],
  [{ finished: { ok: false } }, "The agent exited with 1."],
  [{ outcome: "spawn_failed" }, "The agent could not be started."],
  [{ outcome: "spawn_failed", spawn_error: "ENOENT" }, "ENOENT"],
])("a failed call without output is described by its end: %p", (end, message) => {
  expect(messageOf(end)).toBe(message);
});
