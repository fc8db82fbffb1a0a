import { describe, expect, test } from "bun:test";
import { noSignals } from "../../../src/core/decide/completion-signals.ts";
import { type Decision, decide } from "../../../src/core/decide/decide.ts";
import { touchSession } from "../../../src/core/decide/session.ts";
import type { StopBy } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { charge, emptyBudget } from "../../../src/core/stop/budget.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { noFailures, updateFailures } from "../../../src/core/stop/failure-backoff.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";
import type { LimitState } from "../../../src/core/stop/usage-limit.ts";
import type { ErrorClass } from "../../../src/driver.ts";
import { callEvents, fold, HOUR, MINUTE, NOON, recordOf, settingsOf, stateOf } from "../given.ts";

const NOW = NOON + 10 * MINUTE;

function decided(about: Partial<State>, settings: Partial<Settings> = {}, now = NOW): Decision {
  return decide(stateOf(about), settingsOf(settings), now);
}

/** The decision in short: the step, and its reason. */
function short(decision: Decision): string {
  switch (decision.do) {
    case "run":
      return `run ${decision.number}.${decision.call} ${decision.resume ?? "anew"}`;
    case "wait":
      return `wait ${(decision.until - NOON) / MINUTE} ${decision.why}`;
    case "stop":
      return `stop ${decision.reason}`;
  }
}

const session = touchSession(
  { session_id: null, reset_at: null, reset_reason: null },
  "s1",
  "demo",
  new Date(NOON).toISOString(),
);
const complete = { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 };
const openBreaker = {
  ...closedBreaker(),
  state: "open",
  since: NOON,
  reason: "repeated_error",
  sentence: "Same.",
} as const;
const open = { number: 4, call: 1, started_at: new Date(NOON).toISOString(), usage: noUsage() };
const limit: LimitState = { kind: "usage_limit", message: "5 h", count: 1, resets_at: null, until: NOON + 30 * MINUTE };
const twiceDone = { ...noSignals(), completion_indicators: [1, 2] };
const exit = recordOf({ exit_signal: true, has_completion_signal: true });
const denied = recordOf({ has_permission_denials: true, denied_commands: ["Bash(rm x)"] });
const spent = [1, 2].reduce((budget) => charge(budget, NOW, { calls: 1, tokens: 50 }), emptyBudget());
const usage = { ...noUsage(), cost_usd: 2, input_tokens: 60, output_tokens: 40, cache_read_tokens: 9999 };

const estimated = { ...noUsage(), input_tokens: 60, estimated_usd: 2 };

function failed(errorClass: ErrorClass, times: number): State["failures"] {
  const end = { ok: false, error: { class: errorClass, message: "m" }, at: NOW, limited: false };
  return Array.from({ length: times }).reduce<State["failures"]>((row) => updateFailures(row, end), noFailures());
}

function lastCall(errorClass: ErrorClass): State["last_call"] {
  return { outcome: "failed", exit_code: 1, ok: false, error: { class: errorClass, message: "m" }, ms: 1 };
}

/** A failure that may pass by itself, met so often in a row. */
function passing(errorClass: ErrorClass, times: number): Partial<State> {
  const failures = { ...failed(errorClass, times), until: NOW };
  const call = lastCall(errorClass);
  return { failures, last_call: call && { ...call, error: { class: errorClass, message: "m", passing: true } } };
}

describe("the next step", () => {
  type Row = [name: string, state: Partial<State>, settings: Partial<Settings>, decision: string];
  const rows: Row[] = [
    ["the first iteration starts a new session", {}, {}, "run 1.1 anew"],
    ["the next one resumes the session", { iteration: 3, session }, {}, "run 4.1 s1"],
    [
      "the next one starts a new session without continuity",
      { iteration: 3, session },
      { SESSION_CONTINUITY: false },
      "run 4.1 anew",
    ],

    ["a plan that is complete needs no call", { plan: complete }, {}, "stop plan_complete"],
    [
      "what was said has to reach the agent, even if the plan is complete",
      { plan: complete, said: [{ at: "", text: "Also a README", used_in: null }] },
      {},
      "run 1.1 anew",
    ],
    [
      "what the agent has heard keeps nothing from being done",
      { plan: complete, said: [{ at: "", text: "Also a README", used_in: 1 }] },
      {},
      "stop plan_complete",
    ],
    [
      "what was said waits for the next run where a bound allows no prompt",
      { plan: complete, iterations: 2, said: [{ at: "", text: "Also a README", used_in: null }] },
      { MAX_ITERATIONS: 2 },
      "stop plan_complete",
    ],
    [
      "what was said waits for the next run where the breaker allows no prompt: the work is done",
      { plan: complete, iterations: 2, breaker: openBreaker, said: [{ at: "", text: "Also a README", used_in: null }] },
      {},
      "stop plan_complete",
    ],
    [
      "what was said waits for the next run where a limit allows no prompt: the work is done",
      { plan: complete, limit, said: [{ at: "", text: "Also a README", used_in: null }] },
      { ON_USAGE_LIMIT: "stop" },
      "stop plan_complete",
    ],
    [
      "a complete plan whose gates have yet to run needs an iteration",
      { plan: complete },
      { TEST_COMMAND: "t", QUALITY_GATE_MODE: "block" },
      "run 1.1 anew",
    ],
    [
      "a complete plan with red gates needs an iteration",
      { plan: complete, gates: [{ command: "t", ok: false, exit_code: 1, timed_out: false, tail: "" }] },
      { DONE_POLICY: "evidence", TEST_COMMAND: "t" },
      "run 1.1 anew",
    ],
    [
      "a complete plan with green gates stops",
      { plan: complete, gates: [{ command: "t", ok: true, exit_code: 0, timed_out: false, tail: "" }] },
      { DONE_POLICY: "evidence", TEST_COMMAND: "t" },
      "stop plan_complete",
    ],
    ["an exit signal that was announced ends", { signals: twiceDone, last: exit }, {}, "stop project_complete"],
    [
      "a failed call's exit signal ends nothing",
      { signals: twiceDone, last: recordOf({ exit_signal: true }, { outcome: "failed" }) },
      {},
      "run 1.1 anew",
    ],
    [
      "done wins over the breaker and over a bound",
      { signals: twiceDone, last: exit, breaker: openBreaker, iterations: 2 },
      { MAX_ITERATIONS: 2 },
      "stop project_complete",
    ],
    [
      "done wins over a denial",
      { signals: twiceDone, last: recordOf({ exit_signal: true, has_permission_denials: true }) },
      { PERMISSION_DENIAL_MODE: "halt" },
      "stop project_complete",
    ],
    [
      "the breaker wins over a bound",
      { breaker: openBreaker, iterations: 2 },
      { MAX_ITERATIONS: 2 },
      "stop repeated_error",
    ],
    ["blocked once continues", { blocked: 1 }, {}, "run 1.1 anew"],
    ["blocked twice stops", { blocked: 2, breaker: openBreaker }, {}, "stop blocked"],
    ["a denial continues by default", { last: denied, iteration: 1 }, {}, "run 2.1 anew"],
    ["a denial stops in halt mode", { last: denied }, { PERMISSION_DENIAL_MODE: "halt" }, "stop permission_denied"],
    [
      "a denied compound command of allowed parts is advice, which stops nothing",
      { last: recordOf({ has_permission_denials: true, has_compound_command_limitation: true }) },
      { PERMISSION_DENIAL_MODE: "halt" },
      "run 1.1 anew",
    ],
    [
      "three disputed claims stop",
      { held: { disputed: 3, gated: 0 } },
      { DONE_POLICY: "evidence" },
      "stop completion_disputed",
    ],

    ["all iterations used up", { iterations: 2, iteration: 2 }, { MAX_ITERATIONS: 2 }, "stop max_iterations"],
    ["one iteration is left", { iterations: 1, iteration: 1 }, { MAX_ITERATIONS: 2 }, "run 2.1 anew"],
    ["the money is spent", { usage }, { MAX_COST_USD: 2 }, "stop max_cost"],
    ["some money is left", { usage }, { MAX_COST_USD: 2.01 }, "run 1.1 anew"],
    ["the tokens are spent, those read from the cache too", { usage }, { MAX_TOKENS: 10_099 }, "stop max_tokens"],
    ["some tokens are left", { usage }, { MAX_TOKENS: 10_100 }, "run 1.1 anew"],
    ["the task's money is spent", { task_usage: usage }, { MAX_COST_PER_TASK: 2 }, "stop max_cost_per_task"],
    ["some of the task's money is left", { usage }, { MAX_COST_PER_TASK: 2 }, "run 1.1 anew"],
    [
      "the day's money is spent",
      { day_spent: { day: "2026-03-04", usd: 2 } },
      { MAX_COST_PER_DAY: 2 },
      "stop max_cost_per_day",
    ],
    ["estimates count only on request", { usage: estimated }, { MAX_COST_USD: 2 }, "run 1.1 anew"],
    [
      "estimates count on request",
      { usage: estimated, settings: { ESTIMATE_COST: true } },
      { MAX_COST_USD: 2 },
      "stop max_cost",
    ],
    ["the time is over", {}, { MAX_TIME: 10 }, "stop max_time"],
    ["some time is left", {}, { MAX_TIME: 10.5 }, "run 1.1 anew"],
    ["the time of day has come", {}, { STOP_AT: "12:10" }, "stop stop_at"],
    ["the time of day has yet to come", {}, { STOP_AT: "12:11" }, "run 1.1 anew"],
    ["a time of day before the start means tomorrow", {}, { STOP_AT: "12:00" }, "run 1.1 anew"],

    ["not logged in", { last_call: lastCall("auth"), open }, {}, "stop authentication"],
    ["a flag that the agent refuses", { last_call: lastCall("config") }, {}, "stop agent_unusable"],
    ["a pause after a failure", { failures: failed("request", 4) }, {}, `wait ${10 + 40 / 60} failure`],
    ["a pause that is over", { failures: { ...failed("infrastructure", 4), until: NOW } }, {}, "run 1.1 anew"],
    ["a failure without a pause", { failures: { ...failed("infrastructure", 4), until: null } }, {}, "run 1.1 anew"],
    ["ten failures in a row", { failures: failed("request", 10) }, {}, "stop infrastructure_failures"],
    ["nine failures in a row", { failures: { ...failed("request", 9), until: NOW } }, {}, "run 1.1 anew"],
    [
      "six quick failures that are the same",
      { failures: failed("infrastructure", 6) },
      {},
      "stop infrastructure_failures",
    ],
    ["five of them", { failures: { ...failed("infrastructure", 5), until: NOW } }, {}, "run 1.1 anew"],
    ["an unpaid bill", { last_call: lastCall("billing") }, {}, "stop unpaid"],
    ["a model that does not exist", { last_call: lastCall("model") }, {}, "stop model_unavailable"],
    ["a login that may be renewed", passing("auth", 1), {}, "run 1.1 anew"],
    ["a login that was not renewed", passing("auth", 2), {}, "stop authentication"],
    [
      "a bound wins over ten failures",
      { failures: failed("infrastructure", 10), iterations: 1 },
      { MAX_ITERATIONS: 1 },
      "stop max_iterations",
    ],
    ["offline is waited out", { failures: failed("offline", 200) }, {}, "wait 15 offline"],

    ["the calls of the hour are spent", { budget: spent }, { MAX_CALLS_PER_HOUR: 2 }, "wait 60 call_budget"],
    ["the tokens of the hour are spent", { budget: spent }, { MAX_TOKENS_PER_HOUR: 100 }, "wait 60 token_budget"],
    [
      "no wait outlasts the allowed time",
      { budget: spent },
      { MAX_CALLS_PER_HOUR: 2, MAX_TIME: 20 },
      "wait 20 call_budget",
    ],
    [
      "a bound other than time shortens no wait",
      { budget: spent },
      { MAX_CALLS_PER_HOUR: 2, MAX_ITERATIONS: 5, MAX_COST_USD: 5, MAX_TOKENS: 500 },
      "wait 60 call_budget",
    ],
    [
      "no wait outlasts the time of day",
      { budget: spent },
      { MAX_CALLS_PER_HOUR: 2, STOP_AT: "12:25" },
      "wait 25 call_budget",
    ],

    ["a limit is waited for", { open, limit }, {}, "wait 30 usage_limit"],
    ["a limit stops the run if the user wants it", { open, limit }, { ON_USAGE_LIMIT: "stop" }, "stop usage_limit"],
    [
      "after a limit the same iteration continues in its session",
      { open, limit: { ...limit, until: NOON }, session },
      {},
      "run 4.2 s1",
    ],
    [
      "after a limit the session continues at any age",
      { open, limit: { ...limit, until: NOON }, session },
      { SESSION_EXPIRY_HOURS: 0 },
      "run 4.2 s1",
    ],
    [
      "an iteration continues its own session even without continuity",
      { open, session },
      { SESSION_CONTINUITY: false },
      "run 4.2 s1",
    ],
    [
      "an iteration that was let in is not stopped by its number",
      { open, iterations: 3 },
      { MAX_ITERATIONS: 3 },
      "run 4.2 anew",
    ],
    [
      "a repeated call has to fit the budget too",
      { open, budget: spent },
      { MAX_CALLS_PER_HOUR: 2 },
      "wait 60 call_budget",
    ],
    ["another driver's session is not taken", { open, session, driver: "x" }, {}, "run 4.2 anew"],
    ["a rejected session is not tried again", { open, session, last_call: lastCall("session") }, {}, "run 4.2 anew"],
    ["an open iteration has not been judged yet", { open, signals: twiceDone, last: exit }, {}, "run 4.2 anew"],
  ];
  for (const [name, state, settings, decision] of rows)
    test(`${name}: ${decision}`, () => expect(short(decided(state, settings))).toBe(decision));

  test("has one sentence for a missing login and for one without permission (403)", () => {
    const sentence = "The agent's login is missing or not accepted: m";
    expect(decided({ last_call: lastCall("auth") })).toMatchObject({ do: "stop", sentence });
  });

  test.each<[string, Partial<State>, Partial<Settings>]>([
    ["The 2 calls of this hour are spent.", { budget: spent }, { MAX_CALLS_PER_HOUR: 2 }],
    ["The 1 call of this hour is spent.", { budget: spent }, { MAX_CALLS_PER_HOUR: 1 }],
    ["The 100 tokens of this hour are spent.", { budget: spent }, { MAX_TOKENS_PER_HOUR: 100 }],
  ])("names the reason of a wait: %s", (message, state, settings) => {
    expect(decided(state, settings)).toMatchObject({ do: "wait", message });
  });

  test("lets an old session expire", () => {
    expect(decided({ session }, {}, NOON + 24 * HOUR)).toMatchObject({
      do: "run",
      resume: null,
      drops: "session_expired",
    });
  });
  test("pauses no longer after a failure when the clock was set back", () => {
    expect(decided({ failures: failed("offline", 1) }, {}, NOW - 9 * HOUR)).toMatchObject({
      until: NOW - 9 * HOUR + 5 * MINUTE,
    });
  });
  test("waits no longer for a limit without a reset time when the clock was set back", () => {
    expect(decided({ limit }, {}, NOW - 9 * HOUR)).toMatchObject({ until: NOW - 9 * HOUR + 30 * MINUTE });
    const stated = { ...limit, resets_at: new Date(NOON + 30 * MINUTE).toISOString() };
    expect(decided({ limit: stated }, {}, NOW - 9 * HOUR)).toMatchObject({ until: NOON + 30 * MINUTE });
  });
  test.each<[string, Partial<State>, Partial<Settings>, number]>([
    ["a failure", { failures: failed("offline", 1) }, {}, 5 * MINUTE],
    ["a limit without a reset time", { limit }, {}, 30 * MINUTE],
    ["the hour of the call budget", { budget: spent }, { MAX_CALLS_PER_HOUR: 2 }, HOUR],
    ["an idle answer", { last: recordOf(), headway: { ...noHeadway(), idle: 3 } }, { DONE_POLICY: "evidence" }, MINUTE],
  ])("is waited for once when the clock was set back, after %s", (_, about, settings, longest) => {
    const now = NOW - 9 * HOUR;
    const state = stateOf(about);
    const first = decide(state, settingsOf(settings), now);
    if (first.do !== "wait") throw new Error(`it is no wait, but ${first.do}`);
    expect(first.until).toBe(now + longest);
    const began = {
      type: "wait_started",
      until: new Date(first.until).toISOString(),
      why: first.why,
      message: "",
    } as const;
    const at = new Date(now).toISOString();
    const waited = reduce(state, { v: 1, seq: 1, at, run: "r", iteration: 0, ...began });
    expect(decide(waited, settingsOf(settings), first.until)).toMatchObject({ do: "run" });
  });
  test("has a sentence that states what happened", () => {
    const sentence = (state: Partial<State>, settings: Partial<Settings> = {}) => {
      const decision = decided(state, settings);
      return decision.do === "stop" ? decision.sentence : decision.do;
    };
    expect(sentence({ blocked: 2, last: recordOf({ recommendation: "needs a key" }) })).toEndWith(": needs a key.");
    expect(sentence({ blocked: 2, last: recordOf({ recommendation: "A key?" }) })).toEndWith(": A key?");
    expect(sentence({ iterations: 1, iteration: 1 }, { MAX_ITERATIONS: 1 })).toBe(
      "The one allowed iteration is used up.",
    );
    expect(sentence({ blocked: 2 })).toBe("The agent says that it is blocked.");
    expect(sentence({ last: denied }, { PERMISSION_DENIAL_MODE: "halt" })).toContain("Bash(rm x)");
    expect(sentence({ breaker: openBreaker, iterations: 1 })).toBe("Same.");
    expect(sentence({ breaker: openBreaker })).toBe(
      "The circuit breaker is still OPEN. Same. Close it with: ralph circuit reset",
    );
    expect(sentence({ usage }, { MAX_COST_USD: 1 })).toBe("The cost reached $2.00 of $1.");
  });
});

describe("a requested stop", () => {
  const now: [StopBy, string][] = [
    ["SIGINT", "stop interrupted"],
    ["SIGTERM", "stop terminated"],
    ["SIGHUP", "stop hung_up"],
    ["user", "stop stopped_by_user"],
  ];
  for (const [by, reason] of now) {
    test(`${by}, at once, wins over everything`, () => {
      const state = { stop_requested: { how: "now", by }, signals: twiceDone, last: exit, open, limit } as const;
      expect(short(decided(state))).toBe(reason);
    });
  }
  const after = { how: "after_iteration", by: "SIGINT" } as const;
  test('"after the iteration" stops the run between iterations', () => {
    expect(short(decided({ stop_requested: after }))).toBe("stop stopped_by_user");
  });
  test("stops the run during an iteration that only waits for a limit, even after the wait", () => {
    expect(short(decided({ stop_requested: after, open, limit }))).toBe("stop stopped_by_user");
    expect(short(decided({ stop_requested: after, open, limit: { ...limit, until: NOON } }))).toBe(
      "stop stopped_by_user",
    );
  });
  test("lets an iteration that lost its session finish", () => {
    expect(short(decided({ stop_requested: after, open }))).toBe("run 4.2 anew");
  });
});

describe("decisions over recorded calls", () => {
  const notice = { type: "agent_limit", call: 1, kind: "usage_limit", message: "l", resets_at: null } as const;
  const limited = { ok: false, outcome: "failed", error: { class: "limit", message: "l" }, repeat: "limit" } as const;
  const [started, ended] = callEvents(1, 1, limited);

  test("count a limited call against no bound, and repeat it after its wait", () => {
    if (started === undefined || ended === undefined) throw new Error("two events");
    const state = fold(stateOf(), [started, notice, ended]);
    expect(state).toMatchObject({ calls: 0, iterations: 0, budget: { calls: 0 } });
    const decision = decide(state, settingsOf(), NOON + 3000);
    expect(decision).toMatchObject({ do: "wait", until: NOON + 1000 + MINUTE, why: "usage_limit" });
    expect(short(decide(state, settingsOf(), NOON + 1000 + MINUTE))).toBe("run 1.2 anew");
    const again = fold(state, [{ ...started, call: 2 } as typeof started, { ...notice, call: 2 }], NOON + HOUR);
    expect(again.limit).toMatchObject({ count: 2, until: NOON + HOUR + 1000 + 2 * MINUTE });
  });
  test("the gates of an iteration are dropped when the next one starts", () => {
    const gate = { type: "gate_finished", command: "t", exit_code: 0, ms: 1, timed_out: false, output: "" } as const;
    const red = { ...gate, command: "u", exit_code: 1 };
    const late = { ...gate, command: "v", timed_out: true };
    const state = fold(stateOf(), [...callEvents(1, 1), gate, red, late]);
    expect(state.gates.map((one) => one.ok)).toEqual([true, false, false]);
    expect(fold(state, callEvents(2, 1)).gates).toEqual([]);
  });
});

test("STOP_AT is local time, even on days with a change of clocks", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const state = stateOf({ started_at: "2026-03-28T20:00:00Z" });
    const settings = settingsOf({ STOP_AT: "09:00" });
    expect(short(decide(state, settings, Date.parse("2026-03-29T06:59:59Z")))).toBe("run 1.1 anew");
    expect(short(decide(state, settings, Date.parse("2026-03-29T07:00:00Z")))).toBe("stop stop_at");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test.each<[string, number, Partial<Settings>, string]>([
  ["done_signals", 1, { MAX_CONSECUTIVE_DONE_SIGNALS: 1 }, "The agent said that it is done."],
  ["done_signals", 2, {}, "The agent said twice in a row that it is done."],
  ["done_signals", 3, { MAX_CONSECUTIVE_DONE_SIGNALS: 3 }, "The agent said 3 times in a row that it is done."],
  ["test_only_loops", 1, { MAX_CONSECUTIVE_TEST_LOOPS: 1 }, "Only tests were run in the last iteration."],
  ["test_only_loops", 3, {}, "Only tests were run in 3 iterations in a row."],
])(
  "an end after so many %s as the setting allows (%i) says how many they were",
  (signals, most, settings, sentence) => {
    const numbers = Array.from({ length: most }, (_, index) => index + 1);
    const end = decided({ signals: { ...noSignals(), [signals]: numbers }, last: recordOf() }, settings);
    expect(end).toMatchObject({ do: "stop", sentence });
  },
);
