import { describe, expect, test } from "bun:test";
import { type CompletionClaims, exitRule, noRejectedClaims } from "../../../src/core/decide/completion.ts";
import { noSignals } from "../../../src/core/decide/completion-signals.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { type BreakerInput, closedBreaker, stepBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { BOUND_REASONS } from "../../../src/core/stop/stop-rule.ts";
import { NOON, settingsOf } from "../given.ts";

/** Pairs each row with every row below it. */
function pairs<About>(rows: readonly (readonly [string, About])[]) {
  return rows.flatMap(([first, about], index) =>
    rows.slice(index + 1).map(([second, other]) => ({ first, second, about, other })),
  );
}

test("bounds are checked in the order of their rows", () => {
  expect(BOUND_REASONS).toEqual([
    "max_iterations",
    "max_cost",
    "max_cost_per_task",
    "max_cost_per_day",
    "max_tokens",
    "max_time",
    "stop_at",
  ]);
});

describe("with two signs that the work is done, the reason is", () => {
  type Row = [reason: string, signals: Partial<CompletionClaims["signals"]>];
  const plan = { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 };
  const signs: Row[] = [
    ["test_saturation", { test_only_loops: [1, 2, 3] }],
    ["project_complete", { completion_indicators: [1, 2] }],
    ["completion_signals", { done_signals: [1, 2] }],
  ];
  const reasonOf = (signals: Row[1], more: { plan?: typeof plan } = {}) =>
    exitRule(
      {
        signals: { ...noSignals(), ...signals },
        rejected: noRejectedClaims(),
        exitSignal: true,
        takenOff: [],
        quiet: 0,
      },
      { plan: null, gates: [], redTests: false, ...more },
      settingsOf(),
    );
  test.each(pairs(signs))("$first before $second", ({ first, about, other }) => {
    expect(reasonOf({ ...other, ...about })).toBe(first as ReturnType<typeof exitRule>);
  });
  test.each(signs)("%s before a complete plan", (first, signals) => {
    expect(reasonOf(signals, { plan })).toBe(first as ReturnType<typeof exitRule>);
    expect(reasonOf({}, { plan })).toBe("plan_complete");
  });
});

describe("with two reasons to open, the breaker names", () => {
  const calm: BreakerInput = {
    progress: "made",
    errors: null,
    denied: false,
    readOnlyTimeout: false,
    declined: false,
    cycling: false,
  };
  const reasons: [reason: string, input: Partial<BreakerInput>][] = [
    ["permission_denials", { denied: true }],
    ["read_only_timeouts", { readOnlyTimeout: true }],
    ["stagnation_detected", { progress: "none" }],
    ["repeated_error", { errors: "e" }],
    ["output_decline", { declined: true }],
  ];
  const once: Partial<Settings> = {
    CB_NO_PROGRESS_THRESHOLD: 1,
    CB_SAME_ERROR_THRESHOLD: 1,
    CB_PERMISSION_DENIAL_THRESHOLD: 1,
    CB_READ_ONLY_TIMEOUT_THRESHOLD: 1,
  };
  const opened = (...inputs: Partial<BreakerInput>[]) =>
    stepBreaker(closedBreaker(), Object.assign({}, calm, ...inputs), {
      thresholds: settingsOf(once),
      number: 1,
      now: NOON,
    });
  test.each(pairs(reasons))("$first before $second", ({ first, about, other }) => {
    expect(opened(about, other)).toMatchObject({ state: "open", reason: first });
  });
  test("work in circles before the same error", () => {
    const sentence = expect.stringContaining("in circles");
    expect(opened({ errors: "e", cycling: true })).toMatchObject({ reason: "stagnation_detected", sentence });
  });
});
