import { describe, expect, test } from "bun:test";
import { type Decision, decide } from "../../../src/core/decide/decide.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { charge, emptyBudget } from "../../../src/core/stop/budget.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { noFailures, updateFailures } from "../../../src/core/stop/failure-backoff.ts";
import { HOUR, MINUTE, NOON, recordOf, settingsOf, stateOf } from "../given.ts";

const NOW = NOON + 10 * MINUTE;
const DAY = 24 * HOUR;

const error = { class: "infrastructure", message: "m" } as const;
const failures = (times: number): State["failures"] =>
  Array.from({ length: times }).reduce<State["failures"]>(
    (row) => updateFailures(row, { ok: false, error, at: NOW, limited: false }),
    noFailures(),
  );
const limit = { kind: "usage_limit", message: "5 h", count: 1, resets_at: null, until: NOW + MINUTE } as const;
const usage = { ...noUsage(), cost_usd: 2, input_tokens: 60, output_tokens: 40 };

type Rule = [result: string, state: Partial<State>, settings: Partial<Settings>];

/** The conditions of each rule, in the order of the rules. */
const rules: readonly Rule[] = [
  ["interrupted", { stop_requested: { how: "now", by: "SIGINT" } }, {}],
  [
    "authentication",
    { last_call: { outcome: "failed", exit_code: 1, ok: false, error: { class: "auth", message: "m" }, ms: 1 } },
    {},
  ],
  ["plan_complete", { plan: { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 } }, {}],
  ["blocked", { blocked: 2 }, {}],
  ["permission_denied", { last: recordOf({ has_permission_denials: true }) }, { PERMISSION_DENIAL_MODE: "halt" }],
  [
    "repeated_error",
    { breaker: { ...closedBreaker(), state: "open", since: NOON, reason: "repeated_error", sentence: "Same." } },
    {},
  ],
  ["usage_limit", { limit }, { ON_USAGE_LIMIT: "stop" }],
  ["max_iterations", { iterations: 2 }, { MAX_ITERATIONS: 2 }],
  ["max_cost", { usage }, { MAX_COST_USD: 1 }],
  ["max_tokens", { usage }, { MAX_TOKENS: 100 }],
  ["max_time", {}, { MAX_TIME: 10 }],
  ["stop_at", {}, { STOP_AT: "12:10" }],
  ["infrastructure_failures", { failures: failures(10) }, {}],
  ["waits: paused", { paused: true }, {}],
  ["waits: usage_limit", { limit }, {}],
  ["waits: failure", { failures: failures(3) }, {}],
  ["waits: call_budget", { budget: charge(emptyBudget(), NOW, { calls: 1, tokens: 0 }) }, { MAX_CALLS_PER_HOUR: 1 }],
  ["runs", {}, {}],
];

function resultOf(decision: Decision): string {
  if (decision.do === "stop") return decision.reason;
  return decision.do === "wait" ? `waits: ${decision.why}` : "runs";
}

describe("the first rule with a result decides", () => {
  const pairs = rules.flatMap(([result, state, settings], index) =>
    rules.slice(index).map(([other, ...rest]) => ({ result, state, settings, other, rest })),
  );
  test.each(pairs)("$result comes before $other", ({ result, state, settings, rest: [otherState, otherSettings] }) => {
    const both = decide(stateOf({ ...otherState, ...state }), settingsOf({ ...otherSettings, ...settings }), NOW);
    expect(resultOf(both)).toBe(result);
  });
});

const open = { number: 4, call: 1, started_at: new Date(NOON).toISOString(), usage: noUsage(), agent: null };

test("a requested stop lets an iteration finish after its limit has passed", () => {
  const asked = { how: "after_iteration", by: "SIGINT" } as const;
  const remembered = { ...limit, until: null };
  const decision = decide(stateOf({ stop_requested: asked, open, limit: remembered }), settingsOf(), NOW);
  expect(decision).toMatchObject({ do: "run", number: 4, call: 2 });
});

test("a pause never ends by itself: it lasts at least a year", () => {
  const decision = decide(stateOf({ paused: true }), settingsOf(), NOW);
  if (decision.do !== "wait") throw new Error("a pause is waited for");
  expect(decision.until).toBeGreaterThanOrEqual(NOW + 365 * DAY);
  expect(new Date(decision.until).getTime()).toBe(decision.until);
});

test("an agent that cannot be started ends the run with the system's message", () => {
  const error = { class: "config", message: "spawn claude ENOENT" } as const;
  const last_call = { outcome: "spawn_failed", exit_code: null, ok: false, error, ms: 1 } as const;
  expect(decide(stateOf({ last_call }), settingsOf(), NOW)).toMatchObject({
    reason: "agent_unusable",
    sentence: "spawn claude ENOENT",
  });
});
