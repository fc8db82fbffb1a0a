import { expect, test } from "bun:test";
import { assessCall, type CallEvidence } from "../../../src/core/decide/call-assessment.ts";
import { ended } from "./ended-call.ts";

const failed: CallEvidence = { ...ended, outcome: "failed", exit_code: 1 };
const messageOf = (end: Partial<CallEvidence>) => assessCall({ ...failed, ...end }).error?.message;

test.each<[string, number]>([
  ["SIGKILL", 137],
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
])(
  "the signal %s comes from outside, so the output is no cause; a shell or a container says it as %i",
  (signal, code) => {
    const plainLines = ["Reading prompt from stdin..."];
    const why = signal === "SIGKILL" ? " The system does that when memory runs out." : "";
    const message = `The agent was ended by ${signal} before it had answered.${why}`;
    expect(messageOf({ signal, exit_code: null, plainLines })).toBe(message);
    expect(messageOf({ exit_code: code, plainLines })).toBe(message);
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
