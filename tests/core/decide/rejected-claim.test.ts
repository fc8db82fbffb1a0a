import { expect, test } from "bun:test";
import { describeMissing } from "../../../src/core/decide/rejected-claim.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import type { StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { recordOf, settingsOf, stateOf } from "../given.ts";

const red = { command: "npm test", ok: false, exit_code: 1, timed_out: false, tail: "" };
const failing = recordOf({ tests_status: "FAILING" });
const evidence: Partial<Settings> = { DONE_POLICY: "evidence" };
const plan = (...boxes: string[]) => boxes.map((box) => `- [ ] ${box}`).join("\n");

type Row = [reason: StopReason, plan: string | null, gates: (typeof red)[], settings: Partial<Settings>, told: string];
const rows: Row[] = [
  [
    "completion_disputed",
    plan("parse", "print"),
    [],
    evidence,
    ' What is missing: 2 boxes of the plan are open: "parse", "print"; the answer says that tests fail.',
  ],
  [
    "completion_disputed",
    plan("a", "b", "c", "d", "e"),
    [],
    evidence,
    ' What is missing: 5 boxes of the plan are open: "a", "b", "c" and 2 more; the answer says that tests fail.',
  ],
  [
    "completion_disputed",
    null,
    [red],
    evidence,
    " What is missing: the gate `npm test` fails; the answer says that tests fail.",
  ],
  [
    "safety_circuit_breaker",
    plan("parse"),
    [red],
    { QUALITY_GATE_MODE: "block" },
    " What is missing: the gate `npm test` fails.",
  ],
  ["project_complete", plan("parse"), [red], evidence, ""],
];

test.each(rows)("the last sentence of %s names the missing parts: %j", (reason, text, gates, settings, told) => {
  const state = stateOf({ last: failing, gates });
  expect(describeMissing(reason, state, settingsOf(settings), text === null ? null : parsePlan(text, []))).toBe(told);
});

test("the missing parts stay one sentence, however long the boxes are", () => {
  const long = parsePlan(plan("x ".repeat(2000), "y".repeat(3000)), []);
  const told = describeMissing("completion_disputed", stateOf({ last: failing }), settingsOf(evidence), long);
  expect(told.length).toBeLessThan(620);
  expect(told).toEndWith(".");
});
