import { describe, expect, test } from "bun:test";
import {
  couldEnd,
  describeGateExit,
  gateCommands,
  gatePassed,
  gatesDecide,
  gatesDue,
} from "../../../src/core/decide/gate-rules.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { analysisOf, settingsOf } from "../given.ts";

const complete = { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 };

test("the gate commands start with the tests, and none runs twice", () => {
  const settings = settingsOf({ TEST_COMMAND: "npm test", QUALITY_GATES: ["npm run lint", " npm test ", ""] });
  expect(gateCommands(settings)).toEqual(["npm test", "npm run lint"]);
});

describe("gates", () => {
  const some: Partial<Settings> = { TEST_COMMAND: "true" };
  const late: Partial<Settings> = { ...some, QUALITY_GATE_ON_COMPLETION_ONLY: true };
  const hidden: Partial<Settings> = { HIDDEN_GATES: ["x"] };
  const claim = analysisOf({ has_completion_signal: true });
  const testOnly = analysisOf({ is_test_only: true });
  test.each([
    ["are not due if none exists", {}, claim, null, 0, false],
    ["are due after every answer", some, analysisOf(), null, 0, true],
    ["wait for a completion if set so", late, analysisOf(), null, 0, false],
    ["are due after a claim", late, claim, null, 0, true],
    ["are due after a complete plan", late, analysisOf(), complete, 0, true],
    ["are due after the last allowed test-only iteration", late, testOnly, null, 2, true],
    ["that are hidden are due after a claim", hidden, claim, null, 0, true],
    ["that are hidden are not due before", hidden, analysisOf(), null, 0, false],
    ["are not due after earlier test-only iterations", late, testOnly, null, 1, false],
  ] as const)("%s", (_name, settings, analysis, plan, testLoops, expected) => {
    const signals = { test_only_loops: Array.from({ length: testLoops }, (_, n) => n + 1) };
    const effective = settingsOf(settings);
    expect(gatesDue(effective, couldEnd(effective, { analysis, plan, signals, couldProve: false, quiet: 0 }))).toBe(
      expected,
    );
  });

  test.each([
    ["that wrote tests is no end under evidence", 0, false],
    ["that changed nothing, like those before, may be one under evidence", 3, true],
  ])("the last allowed test-only iteration %s", (_, quiet, expected) => {
    const context = { analysis: testOnly, plan: null, signals: { test_only_loops: [1, 2] }, couldProve: false, quiet };
    expect(couldEnd(settingsOf({ ...late, DONE_POLICY: "evidence" }), context)).toBe(expected);
  });

  test("are due after an idle answer that they could prove to be the end", () => {
    const context = {
      analysis: analysisOf(),
      plan: null,
      signals: { test_only_loops: [] },
      couldProve: true,
      quiet: 3,
    };
    expect(gatesDue(settingsOf(late), couldEnd(settingsOf(late), context))).toBe(true);
  });
});

test.each([
  [{ exit_code: 0, timed_out: false }, true],
  [{ exit_code: 1, timed_out: false }, false],
  [{ exit_code: null, timed_out: false }, false],
  // It ended cleanly on request, but never reported success.
  [{ exit_code: 0, timed_out: true }, false],
])("a gate with the end %j passed: %p", (ending, passed) => {
  expect(gatePassed(ending)).toBe(passed);
});

test("a red gate's sentence has its end", () => {
  expect(describeGateExit({ exit_code: 2, timed_out: false })).toBe("failed with exit code 2");
  expect(describeGateExit({ exit_code: null, timed_out: true })).toBe("ran out of time");
  expect(describeGateExit({ exit_code: null, timed_out: false })).toBe("could not be run to its end");
});

test.each([
  ["a complete plan", {}, analysisOf(), complete, true],
  ["no plan", {}, analysisOf(), null, true],
  ["open boxes", {}, analysisOf(), { ...complete, blocking_unchecked: 1 }, false],
  ["tests that fail by its own words", {}, analysisOf({ tests_status: "FAILING" }), complete, false],
  ["open boxes, under signals", { DONE_POLICY: "signals" }, analysisOf(), { ...complete, blocking_unchecked: 1 }, true],
  [
    "open boxes, without visible gates",
    { TEST_COMMAND: null },
    analysisOf(),
    { ...complete, blocking_unchecked: 1 },
    true,
  ],
] as const)("whether gates decide alone about a claim with %s", (_name, settings, analysis, plan, expected) => {
  const effective = settingsOf({ TEST_COMMAND: "true", DONE_POLICY: "evidence", ...settings });
  expect(gatesDecide(effective, { analysis, plan })).toBe(expected);
});
