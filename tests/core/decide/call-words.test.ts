import { expect, test } from "bun:test";
import { assessCall, type CallEvidence } from "../../../src/core/decide/call-assessment.ts";

const failed: CallEvidence = {
  outcome: "failed",
  exit_code: 1,
  signal: null,
  spawn_error: null,
  hasFinalEvent: true,
  finished: null,
  error: null,
  limited: false,
  resumed: false,
  plainLines: [],
};
const messageOf = (end: Partial<CallEvidence>) => assessCall({ ...failed, ...end }, () => null).error?.message;

test("of a long output the last 20 lines say why a call failed", () => {
  const plainLines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  expect(messageOf({ plainLines })?.split("\n")).toEqual(plainLines.slice(10));
});

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])(
  "%s comes from outside: what was printed is no cause",
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
])("a failed call that printed nothing is described by how it ended: %p", (end, message) => {
  expect(messageOf(end)).toBe(message);
});
