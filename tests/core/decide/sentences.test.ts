import { expect, test } from "bun:test";
import { describeMissing } from "../../../src/core/decide/rejected-claim.ts";
import { iterationVerdict } from "../../../src/core/decide/verdict.ts";
import { analysisOf, evidenceOf, recordOf, settingsOf, stateOf } from "../given.ts";

test("the last sentence names no missing part if there is none", () => {
  const state = stateOf({ last: recordOf() });
  expect(describeMissing("completion_disputed", state, settingsOf({ DONE_POLICY: "evidence" }), null)).toBe("");
});

test("a missing part keeps its dots except the last", () => {
  const gates = [{ command: "./check.sh", ok: false, exit_code: 1, timed_out: false, tail: "" }];
  const state = stateOf({ last: recordOf(), gates });
  expect(describeMissing("completion_disputed", state, settingsOf({ DONE_POLICY: "evidence" }), null)).toBe(
    " What is missing: the gate `./check.sh` fails.",
  );
});

test("the verdict has the first line of an error, at most 300 characters", () => {
  const sentenceFor = (message: string) =>
    iterationVerdict({
      outcome: "failed",
      call: { outcome: "failed", noWrites: false, error: { class: "infrastructure", message } },
      analysis: analysisOf(),
      evidence: evidenceOf({ progress: false }),
    } as Parameters<typeof iterationVerdict>[0]).sentence;
  expect(sentenceFor("\nfirst\nsecond")).toContain("The call failed: first.");
  expect(sentenceFor("x".repeat(1000))).toContain(`: ${"x".repeat(300)}.`);
});
