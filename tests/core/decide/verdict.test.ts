import { expect, test } from "bun:test";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import { iterationVerdict, type VerdictInput } from "../../../src/core/decide/verdict.ts";
import type { Evidence } from "../../../src/core/journal/event.ts";
import { analysisOf, evidenceOf } from "../given.ts";

const open = { total: 3, checked: 1, unchecked: 2, blocking_unchecked: 2 };
const nothing: Partial<Evidence> = { progress: false };
const one: Partial<Evidence> = { files_changed_count: 1 };
const idle = { call: { outcome: "idle" as const, noWrites: false, error: null }, outcome: "failed" as const };
const done: Partial<Analysis> = { has_completion_signal: true, exit_signal: true };

test.each<[rule: string, sentence: string, Partial<Analysis>, Partial<Evidence>, Partial<VerdictInput>]>([
  ["progress", "Progress: 1 file changed.", {}, one, {}],
  ["returned", "In circles: 1 file changed, back to an earlier state.", {}, one, { revisited: true }],
  ["progress", "Progress: 1 file changed, 2 ticks fewer in the plan.", {}, { ...one, plan_delta: -2 }, {}],
  ["no_progress", "Nothing changed.", {}, nothing, {}],
  [
    "permission_denied",
    "Denied: Bash(rm x), Write; 1 file changed.",
    { has_permission_denials: true, denied_commands: ["Bash(rm x)", "Write"] },
    one,
    {},
  ],
  [
    "progress",
    "Progress: 1 file changed. Refused as one command, though its parts are allowed: Bash(npm test && git add a).",
    { has_compound_command_limitation: true, denied_commands: ["Bash(npm test && git add a)"] },
    one,
    {},
  ],
  [
    "no_progress",
    "Nothing changed. Refused as one command, though its parts are allowed: A, B, C and 1 more.",
    { has_compound_command_limitation: true, denied_commands: ["A", "B", "C", "D"] },
    nothing,
    {},
  ],
  [
    "timed_out_productive",
    "Timed out, but the work is kept: 1 file changed. Refused as one command, though its parts are allowed: A.",
    { has_compound_command_limitation: true, denied_commands: ["A"] },
    one,
    { call: { outcome: "timed_out", noWrites: false, error: null }, outcome: "timed_out" },
  ],
  ["permission_denied", "Denied: a tool; nothing changed.", { has_permission_denials: true }, nothing, {}],
  ["test_only", "Only tests: nothing changed.", { is_test_only: true }, nothing, {}],
  ["question", "The agent asked a question; nothing changed.", { asking_questions: true }, nothing, {}],
  ["progress", "Progress: 1 file changed.", { asking_questions: true }, one, {}],
  [
    "blocked",
    "The agent says that it is blocked: no key.",
    { status: "BLOCKED", recommendation: "no key" },
    nothing,
    {},
  ],
  ["exit_signal", "The agent says that everything is done; 1 file changed.", done, one, {}],
  [
    "done_signal",
    "The agent says that its work is done; nothing changed.",
    { has_completion_signal: true },
    nothing,
    {},
  ],
  [
    "exit_signal",
    "The agent says that everything is done, but 2 boxes of the plan are open and 1 gate fails and it says itself that tests fail; 1 file changed.",
    { ...done, tests_status: "FAILING" },
    { ...one, plan: open },
    { gates: [{ command: "t", ok: false }] },
  ],
  [
    "exit_signal",
    "The agent says that everything is done, but 1 gate ran no tests; 1 file changed.",
    done,
    one,
    { gates: [{ command: "t", ok: true, no_tests: true }] },
  ],
  [
    "progress",
    "Progress: 1 file changed. It claims 2 tasks, and ticked no box.",
    { tasks_completed: 2 },
    { ...one, plan: open },
    {},
  ],
  [
    "progress",
    "Progress: 1 file changed, 1 box ticked.",
    { tasks_completed: 0 },
    { ...one, plan: open, plan_delta: 1 },
    {},
  ],
  [
    "progress",
    "Progress: 1 file changed, 1 box ticked.",
    { tasks_completed: 1 },
    { ...one, plan: open, plan_delta: 1 },
    {},
  ],
  ["progress", "Progress: 1 file changed.", { tasks_completed: 2 }, one, {}],
  ["timed_out_idle", "Ended because it showed no sign of life, and nothing changed.", {}, nothing, idle],
  [
    "timed_out_productive",
    "Ended after too long without writing anything, but the work is kept: 1 file changed.",
    {},
    one,
    { outcome: "timed_out", call: { outcome: "idle", noWrites: true, error: null } },
  ],
  [
    "permission_denied",
    "Denied: Bash(rm x); timed out, but the work is kept: 1 file changed.",
    { has_permission_denials: true, denied_commands: ["Bash(rm x)"] },
    one,
    { outcome: "timed_out", call: { outcome: "timed_out", noWrites: false, error: null } },
  ],
  [
    "failed_auth",
    "The call failed: log in.",
    {},
    nothing,
    { outcome: "failed", call: { outcome: "failed", noWrites: false, error: { class: "auth", message: "log in" } } },
  ],
  [
    "failed_infrastructure",
    "The call failed: Error: Cannot find module.",
    {},
    nothing,
    {
      outcome: "failed",
      call: {
        outcome: "failed",
        noWrites: false,
        error: {
          class: "infrastructure",
          message: "node:internal/loader:1228\n  throw err;\n\nError: Cannot find module",
        },
      },
    },
  ],
])("the verdict %s: %s", (rule, sentence, analysis, evidence, more) => {
  const call = { outcome: "ok" as const, noWrites: false, error: null };
  const judged: VerdictInput = {
    outcome: "answered",
    call,
    analysis: analysisOf(analysis),
    evidence: evidenceOf(evidence),
    gates: [],
    revisited: false,
    ...more,
  };
  expect(iterationVerdict(judged)).toEqual({ rule, sentence });
});

test.each<[VerdictInput["call"]["outcome"], string]>([
  ["idle", "Ended because it showed no sign of life, and nothing changed."],
  ["timed_out", "Timed out, and nothing changed."],
])("the verdict on a call that ended as %s says why", (outcome, sentence) => {
  const judged = { outcome: "failed", call: { outcome, noWrites: false, error: null } } as const;
  expect(
    iterationVerdict({ ...judged, analysis: analysisOf(), evidence: evidenceOf(nothing), gates: [], revisited: false }),
  ).toEqual({ rule: "timed_out_idle", sentence });
});
