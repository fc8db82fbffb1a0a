import { expect, test } from "bun:test";
import { assessCall } from "../../../src/core/decide/call-assessment.ts";
import { gateRecord } from "../../../src/core/decide/gate-rules.ts";
import { findingsSentence } from "../../../src/core/decide/review-state.ts";
import type { EventOf } from "../../../src/core/journal/event.ts";
import { play } from "../state-files/script.ts";

function recordOf(more: Partial<EventOf<"gate_finished">>) {
  const gate = { type: "gate_finished", command: "t", exit_code: 1, ms: 1, timed_out: false, output: "all" } as const;
  const event = play({ ...gate, ...more })[0]?.event;
  return event?.type === "gate_finished" ? gateRecord(event) : null;
}

test("a gate's record has the tail of its output, else the output", () => {
  expect(recordOf({ tail: "the end" })?.tail).toBe("the end");
  expect(recordOf({})?.tail).toBe("all");
});

test("a stopped call counts as failed, without an error or a repetition", () => {
  const end = {
    outcome: "stopped",
    exit_code: null,
    signal: "SIGTERM",
    spawn_error: null,
    finished: { ok: true },
    hasFinalEvent: true,
    complete: false,
    statement: null,
    error: null,
    limited: true,
    plainLines: ["usage limit reached"],
    resumed: true,
  } as const;
  expect(assessCall(end)).toEqual({ ok: false, error: null, repeat: null });
});

test.each([
  [0, "", "The review found nothing to fix."],
  [0, "All well.", "The review found nothing to fix. All well."],
  [1, "", "The review found 1 issue (LOW)."],
  [2, "Two\nleaks.", "The review found 2 issues (LOW): Two leaks."],
])("a review with %p issues and the summary %j is one sentence", (issues_found, summary, sentence) => {
  expect(findingsSentence({ severity: "LOW", issues_found, summary, details: [] })).toBe(sentence);
});
