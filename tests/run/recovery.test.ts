import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { runMarker } from "../../src/core/journal/process-identity.ts";
import type { State } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import { nextAllowed } from "../../src/core/stop/budget.ts";
import { type CircuitBreaker, closedBreaker } from "../../src/core/stop/circuit-breaker.ts";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import {
  carriedSpending,
  initialRunState,
  leftBrokenOff,
  orphanIdentity,
  planRecovery,
} from "../../src/run/recovery.ts";
import { callEvents, fold, MINUTE, NOON, settingsOf, stateOf } from "../core/given.ts";

const process = { pid: 7, group: 7, start_time: "boot:1", marker: "m" };
const [begun, answered] = callEvents(1, 1) as [EventBody, EventBody];
const agent: EventBody = { type: "agent_started", call: 1, purpose: "main", argv: [], ...process };
const gate: EventBody = { type: "gate_started", command: "npm test", ...process };
const review: EventBody[] = [
  { type: "review_started", number: 1, call: 2 },
  { ...agent, call: 2, purpose: "review" },
];

const look: EventBody[] = [
  { type: "look_started", number: 1, call: 2, driver: "codex", display_name: "Codex" },
  { ...agent, call: 2, purpose: "look" },
];
const looked: EventBody = { ...(answered as Extract<EventBody, { type: "agent_finished" }>), call: 2 };

/** Only the run's marker is known. */
const marked = (state: State) => ({ pid: 0, group: 0, start_time: null, marker: runMarker(state) });

test.each<[string, EventBody[], string[], "by its pid" | "by its marker"]>([
  ["a gate before its event", [], [], "by its marker"],
  ["an iteration before its agent", [begun], ["iteration_interrupted"], "by its marker"],
  ["an agent", [begun, agent], ["agent_finished", "iteration_interrupted"], "by its pid"],
  ["an iteration after its agent", [begun, agent, answered], ["iteration_interrupted"], "by its marker"],
  ["a gate in an iteration", [begun, agent, answered, gate], ["gate_finished", "iteration_interrupted"], "by its pid"],
  ["a gate before the first iteration", [gate], ["gate_finished"], "by its pid"],
  ["a review before its agent", review.slice(0, 1), ["review_finished"], "by its marker"],
  ["a review", review, ["agent_finished", "review_finished"], "by its pid"],
  ["a look before its agent", look.slice(0, 1), ["look_finished"], "by its marker"],
  ["a look", look, ["agent_finished", "look_finished"], "by its pid"],
  ["the check of a look", [...look, looked, gate], ["gate_finished", "look_finished"], "by its pid"],
])(
  "a run that was interrupted in %s gets every missing end, and its process is identified",
  (_name, bodies, closing, known) => {
    const state = fold(stateOf(), bodies);
    const recovery = planRecovery(state);
    expect(recovery?.closing.map(({ type }) => type)).toEqual(closing as EventBody["type"][]);
    expect(orphanIdentity(state)).toEqual(known === "by its pid" ? process : marked(state));
    const closed = fold(state, recovery?.closing ?? [], NOON);
    expect([closed.open, closed.gate, closed.call]).toEqual([null, null, null]);
    expect(planRecovery(closed)?.closing).toEqual([]);
  },
);

test("an interrupted gate has not passed, and an interrupted agent has not answered", () => {
  const { closing } = planRecovery(fold(stateOf(), [begun, agent, gate])) ?? {};
  expect(closing).toMatchObject([
    { type: "gate_finished", command: "npm test", exit_code: null, ms: 0, timed_out: false, output: "" },
    {
      type: "agent_finished",
      call: 1,
      outcome: "stopped",
      exit_code: null,
      ms: 0,
      ok: false,
      error: null,
      unknown_events: 0,
      repeat: null,
    },
    { type: "iteration_interrupted", number: 1, why: "ralph ended before the iteration did" },
  ]);
});

test("an interrupted review has no findings, and says so", () => {
  expect(planRecovery(fold(stateOf(), review))?.closing.at(-1)).toEqual({
    type: "review_finished",
    call: 2,
    findings: null,
    sentence: "The review was interrupted.",
  });
});

test("an interrupted look found nothing out, and says so", () => {
  expect(planRecovery(fold(stateOf(), look))?.closing.at(-1)).toEqual({
    type: "look_finished",
    call: 2,
    result: "failed",
    gap: null,
    sentence: "The look was interrupted.",
  });
});

test("an interrupted import ends with its agent, even before the agent has started", () => {
  const imported: EventBody = { type: "import_started", call: 1, document: "prd.md", missing: [] };
  const types = (bodies: EventBody[]) => planRecovery(fold(stateOf(), bodies))?.closing.map(({ type }) => type);
  expect(types([imported])).toEqual(["agent_finished"]);
  expect(types([imported, { ...agent, purpose: "import" }])).toEqual(["agent_finished"]);
});

test("an interrupted wait ends with its own reason", () => {
  const wait: EventBody = { type: "wait_started", until: "", why: "usage_limit", message: "" };
  expect(planRecovery(fold(stateOf(), [wait]))?.closing).toEqual([{ type: "wait_ended", why: "usage_limit" }]);
});

test("a finished run and a project without runs need no recovery", () => {
  const finished = { reason: "blocked", exit_code: 6, sentence: "", at: "" } as const;
  expect(planRecovery(stateOf({ finished }))).toBeNull();
  expect(planRecovery(stateOf({ run: "" }))).toBeNull();
});

test("an interrupted iteration is named if there is one", () => {
  expect(planRecovery(fold(stateOf(), [begun]))?.interrupted).toBe(1);
  expect(planRecovery(fold(stateOf(), [gate]))?.interrupted).toBeNull();
});

describe("the state that a new run begins with", () => {
  const opened: CircuitBreaker = {
    ...closedBreaker(),
    state: "open",
    since: NOON - 31 * MINUTE,
    reason: "stagnation_detected",
    sentence: "Nothing changed.",
  };
  const begunWith = (settings: Partial<Settings>, about: Partial<State> = {}) =>
    initialRunState(stateOf({ breaker: opened, ...about }), settingsOf(settings), NOON);

  test("has a half-open breaker after the cooldown, with the change in its history", () => {
    expect(begunWith({ CB_COOLDOWN_MINUTES: 30 })).toMatchObject({
      breaker: { state: "half_open", why: "cooldown" },
      breaker_history: [
        { timestamp: new Date(NOON).toISOString(), loop: 0, from_state: "OPEN", to_state: "HALF_OPEN" },
      ],
    });
  });

  test("has an open breaker within the cooldown, and no change in its history", () => {
    expect(begunWith({ CB_COOLDOWN_MINUTES: 32 })).toMatchObject({ breaker: opened, breaker_history: [] });
  });

  test("has a closed breaker with CB_AUTO_RESET", () => {
    expect(begunWith({ CB_COOLDOWN_MINUTES: 60, CB_AUTO_RESET: true }).breaker.state).toBe("closed");
  });

  test("has no more of the hour's budget than a journal may give, and waits no longer than an hour for the next", () => {
    const forged = { hour: "2025010100", resets_at: 4e15, calls: -1000, tokens: -1000 };
    const { budget } = begunWith({}, { budget: forged });
    expect(budget).toMatchObject({ calls: 0, tokens: 0 });
    expect(budget.resets_at).toBeLessThan(4e15);
    expect(nextAllowed(budget, { calls: 1, tokens: 0 }, budget.resets_at)).toMatchObject({ allowed: true });
  });

  test("has no counters of the earlier run", () => {
    expect(begunWith({}, { iterations: 7, calls: 9 })).toMatchObject({ iterations: 0, calls: 0, finished: null });
  });
});

describe("the bounds of a new run count what a run before it spent", () => {
  const usage = { ...noUsage(), cost_usd: 0.5, input_tokens: 10 };
  const before = { ...noUsage(), cost_usd: 0.25, input_tokens: 5 };
  const spent = { iterations: 2, usage, started_by: "cli", earlier: { iterations: 1, usage: before } };
  const ended = (reason: StopReason) => ({ reason, exit_code: 1, sentence: "", at: "" });
  const same = { startedBy: "cli", task: null, settings: settingsOf({}) };

  test.each<[string, Partial<State>]>([
    ["was killed", {}],
    ["crashed", { finished: ended("internal_error") }],
    ["met what it could not mend", { finished: ended("environment_error") }],
    ["met a full disk", { finished: ended("disk_full") }],
  ])("if that %s, with all that it had taken over", (_, about) => {
    const { earlier } = carriedSpending(stateOf({ ...spent, ...about }), same);
    expect(earlier).toMatchObject({ iterations: 3, usage: { cost_usd: 0.75, input_tokens: 15 } });
  });

  test.each<[string, Partial<Settings>, object]>([
    ["MAX_ITERATIONS", { MAX_ITERATIONS: 5 }, { iterations: 0, usage: { cost_usd: 0.75, input_tokens: 15 } }],
    ["MAX_COST_USD", { MAX_COST_USD: 5 }, { iterations: 3, usage: { cost_usd: null, input_tokens: 15 } }],
    ["MAX_TOKENS", { MAX_TOKENS: 5 }, { iterations: 3, usage: { cost_usd: 0.75, input_tokens: null } }],
  ])("but not against a %s that was given another value since", (_, changed, counted) => {
    const { earlier } = carriedSpending(stateOf(spent), { ...same, settings: settingsOf(changed) });
    expect(earlier).toMatchObject(counted);
  });

  test.each<[string, Partial<State>, { startedBy: string; task: string | null }]>([
    ["was ended by a bound", { finished: ended("max_cost") }, same],
    ["was ended at the keyboard", { finished: ended("interrupted") }, same],
    ["worked on another task", { started_by: "task", task: "a" }, { startedBy: "task", task: "b" }],
    ["was an import", { started_by: "import" }, same],
    ["never was", { run: "" }, same],
  ])("but not if that %s", (_, about, next) => {
    expect(carriedSpending(stateOf({ ...spent, ...about }), { ...same, ...next })).toEqual({});
  });

  test("and what other runs between them passed on: with all of its kind, however many there were", () => {
    const broken = stateOf({ ...spent, more_iterations: 2 });
    const next = (startedBy: string, task: string | null = null) => ({ startedBy, task, settings: same.settings });
    const land = stateOf({
      started_by: "land",
      broken_off: leftBrokenOff(broken, next("land")),
      finished: ended("landed"),
    });
    const killed = stateOf({
      ...spent,
      started_by: "task",
      task: "a",
      broken_off: leftBrokenOff(land, next("task", "a")),
    });
    const [ofPlan, ofTask] = [carriedSpending(killed, same), carriedSpending(killed, next("task", "a"))];
    expect(ofPlan).toMatchObject({ earlier: { iterations: 3, usage: { cost_usd: 0.75 } }, more_iterations: 2 });
    expect(ofTask).toMatchObject({ earlier: { iterations: 3 }, more_iterations: 0 });
    const left = [same, next("task", "a"), next("task", "b")].map((one) => leftBrokenOff(killed, one));
    expect(left.map((runs) => runs.map(({ task }) => task))).toEqual([["a"], [null], [null, "a"]]);
    const again = stateOf({ ...spent, earlier: { iterations: 3, usage: before }, broken_off: left[0] ?? [] });
    expect(carriedSpending(again, same)).toMatchObject({ earlier: { iterations: 5 } });
  });

  test("and remember only so many that broke off", () => {
    const names = Array.from({ length: 20 }, (_, nth) => `task ${nth}`);
    const last = names.reduce(
      (state, task) => {
        const broken_off = leftBrokenOff(state, { startedBy: "task", task, settings: same.settings });
        return stateOf({ ...spent, started_by: "task", task, broken_off });
      },
      stateOf({ run: "" }),
    );
    expect(leftBrokenOff(last, same).map(({ task }) => task)).toEqual(names.slice(-8));
  });
});
