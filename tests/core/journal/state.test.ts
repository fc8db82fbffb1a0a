import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SessionResetReason } from "../../../src/core/decide/session.ts";
import type { EventBody, IterationOutcome, RalphEvent } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { carryOver, type State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { seed } from "../../seed.ts";
import { analysisOf, callEvents, evidenceOf, fold, NOON, settingsOf, stateOf } from "../given.ts";

const number = fc.integer({ min: 0, max: 12 });
const flag = fc.boolean();
const iso = fc
  .date({ min: new Date(0), max: new Date(NOON * 2), noInvalidDate: true })
  .map((date) => date.toISOString());
const error = fc.record({
  class: fc.constantFrom("auth", "limit", "request", "session", "infrastructure", "offline", "config"),
  message: fc.string(),
});

/** Events in any order, including orders that no run writes and types that only a newer ralph knows. */
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.tuple(number, number, flag).map(([iteration, call, ok]) => callEvents(iteration, call, { ok })[0] as EventBody),
  fc
    .record({ ok: flag, error: fc.option(error), repeat: fc.constantFrom(null, "limit", "session") })
    .map((end) => callEvents(1, 1, end as Parameters<typeof callEvents>[2])[1] as EventBody),
  fc.record({ claims: flag, tests: flag, asks: flag, progress: flag, failed: flag }).map(
    ({ claims, tests, asks, progress, failed }): EventBody => ({
      type: "iteration_finished",
      outcome: failed ? "failed" : "answered",
      analysis: analysisOf({
        has_completion_signal: claims,
        exit_signal: claims,
        is_test_only: tests,
        asking_questions: asks,
      }),
      evidence: evidenceOf({ progress }),
      verdict: { rule: "r", sentence: "s" },
      breaker: closedBreaker(),
      usage: { ...stateOf().usage, input_tokens: 5 },
      ms: 1,
    }),
  ),
  fc.string().map((text): EventBody => ({ type: "agent_text", call: 1, text })),
  fc.string().map((session_id): EventBody => ({ type: "agent_session", call: 1, session_id })),
  fc.nat().map((tokens): EventBody => ({ type: "agent_usage", call: 1, ...stateOf().usage, input_tokens: tokens })),
  fc
    .option(iso)
    .map((resets_at): EventBody => ({ type: "agent_limit", call: 1, kind: "rate_limit", message: "m", resets_at })),
  flag.map(
    (ok): EventBody => ({
      type: "gate_finished",
      command: "t",
      exit_code: ok ? 0 : null,
      ms: 1,
      timed_out: false,
      output: "",
    }),
  ),
  iso.map((until): EventBody => ({ type: "wait_started", until, why: "offline", message: "m" })),
  fc
    .constantFrom("session", "circuit", "both")
    .map((what): EventBody => ({ type: "reset", what, reason: "manual_reset_flag" })),
  fc.constantFrom<EventBody[]>(
    { type: "stop_requested", how: "now", by: "user" },
    { type: "stop_withdrawn" },
    { type: "wait_ended", why: "paused" },
    { type: "iteration_interrupted", number: 1, why: "w" },
    { type: "note", level: "info", text: "t" },
  ),
  fc.string().map((name) => ({ type: `new_${name}`, whatever: 1 }) as unknown as EventBody),
);

const events = fc
  .array(fc.tuple(body, iso), { maxLength: 40 })
  .map((pairs) =>
    pairs.map(([one, at], index): RalphEvent => ({ v: 1, seq: index + 1, at, run: "r", iteration: 0, ...one })),
  );

const folded = (state: State, journal: readonly RalphEvent[]) => journal.reduce(reduce, state);

describe("the fold", () => {
  test("accepts any journal and keeps a bounded state", () => {
    fc.assert(
      fc.property(events, (journal) => {
        const state = folded(stateOf(), journal);
        expect(state.seq).toBe(journal.length);
        expect(state.trend.length).toBeLessThanOrEqual(10);
        expect(state.session_history.length).toBeLessThanOrEqual(50);
        expect(state.signals.completion_indicators.length).toBeLessThanOrEqual(5);
        const unknown = journal.filter((event) => event.type.startsWith("new_")).length;
        expect(Object.values(state.unknown).reduce((sum, n) => sum + n, 0)).toBe(unknown);
      }),
      { seed },
    );
  });
  test("gives the same state from a snapshot and the rest as from the whole journal", () => {
    fc.assert(
      fc.property(events, fc.nat(40), (journal, cut) => {
        const snapshot: State = JSON.parse(JSON.stringify(folded(stateOf(), journal.slice(0, cut))));
        expect(folded(snapshot, journal.slice(cut))).toEqual(folded(stateOf(), journal));
      }),
      { seed },
    );
  });
});

test("claims start at zero after a reset by the user, but survive a conversation that was lost", () => {
  const claim: EventBody = {
    type: "iteration_finished",
    outcome: "answered",
    analysis: analysisOf({ has_completion_signal: true, exit_signal: true }),
    evidence: evidenceOf({ progress: false, plan: { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 } }),
    verdict: { rule: "exit_signal", sentence: "" },
    breaker: closedBreaker(),
    usage: stateOf().usage,
    ms: 1,
  };
  const state = fold(stateOf(), [...callEvents(1, 1), claim, ...callEvents(2, 1), claim]);
  expect(state.held).toMatchObject({ disputed: 2, gated: 0 });
  const after = (reason: SessionResetReason) => {
    const { held, signals } = fold(state, [{ type: "reset", what: "session", reason }]);
    return [held.disputed, signals.done_signals.length];
  };
  for (const reason of ["session_rejected", "api_error", "session_expired", "session_renewed", "session_idle"] as const)
    expect(after(reason)).toEqual([2, 2]);
  for (const reason of ["manual_reset_flag", "manual_interrupt", "project_complete", "circuit_breaker_open"] as const)
    expect(after(reason)).toEqual([0, 0]);
});

test.each<[string, readonly (readonly [IterationOutcome, "BLOCKED" | null, boolean])[], number]>([
  [
    "counts consecutive answers",
    [
      ["answered", "BLOCKED", false],
      ["answered", "BLOCKED", false],
    ],
    2,
  ],
  [
    "starts at zero after progress",
    [
      ["answered", "BLOCKED", false],
      ["answered", "BLOCKED", true],
    ],
    0,
  ],
  [
    "starts at zero after an answer that is not blocked",
    [
      ["answered", "BLOCKED", false],
      ["answered", null, false],
    ],
    0,
  ],
  [
    "is neither counted nor cleared by a failed call",
    [
      ["answered", "BLOCKED", false],
      ["failed", "BLOCKED", false],
      ["failed", null, false],
    ],
    1,
  ],
])("the blocked counter %s", (_name, answers, blocked) => {
  const bodies = answers.flatMap(([outcome, status, progress], index): EventBody[] => [
    ...callEvents(index + 1, 1),
    {
      type: "iteration_finished",
      outcome,
      analysis: analysisOf({ status }),
      evidence: evidenceOf({ progress }),
      verdict: { rule: "blocked", sentence: "" },
      breaker: closedBreaker(),
      usage: stateOf().usage,
      ms: 1,
    },
  ]);
  expect(fold(stateOf(), bodies).blocked).toBe(blocked);
});

test("a new run takes over only breaker, budget and session", () => {
  const state = fold(stateOf({ settings: { ...settingsOf() } }), [
    ...callEvents(1, 1),
    { type: "agent_session", call: 1, session_id: "s" },
  ]);
  const next = carryOver(state);
  expect(next).toMatchObject({ budget: state.budget, breaker: state.breaker, session: state.session });
  expect(next).toMatchObject({ calls: 0, iterations: 0, open: null, last_call: null, settings: {} });
});

describe("what workers had that a swarm left at work", () => {
  const work = (task: string, worker: string) => ({ task, text: task, worker, branch: "", since: "" });
  const left = carryOver(stateOf({ started_by: "swarm", tasks_at_work: [work("a", "w1"), work("b", "w2")] }));

  test("is passed on until a swarm counts it, by runs of another kind too", () => {
    const between = carryOver({ ...left, started_by: "cli", tasks_at_work: [work("c", "here")] });
    expect(between.left_at_work.map(({ task }) => task)).toEqual(["a", "b"]);
    expect(between.tasks_at_work).toEqual([]);
    const release: EventBody = { type: "task_released", task: "a", worker: "w1", outcome: "given_back", why: "" };
    expect(fold(between, [release]).left_at_work.map(({ task }) => task)).toEqual(["b"]);
  });

  test("is not what another worker has of the same task", () => {
    const spent = { iterations: 2, calls: 2, usage: noUsage() };
    const release: EventBody = { type: "task_released", task: "a", worker: "w2", outcome: "lost", why: "", spent };
    const next = fold({ ...left, started_by: "swarm" }, [release]);
    expect([next.iterations, carryOver(next).left_at_work]).toEqual([2, left.left_at_work]);
  });
});

test.each([
  ["whose call met a limit does not count", "limit" as const, 0],
  ["whose call did not meet a limit counts", null, 1],
])("an interrupted iteration %s", (_, repeat, iterations) => {
  const notice: EventBody = { type: "agent_limit", call: 1, kind: "usage_limit", message: "m", resets_at: null };
  const [started, finished] = callEvents(1, 1, { ok: false, error: null, repeat });
  const bodies = [started, ...(repeat === "limit" ? [notice] : []), finished] as EventBody[];
  const state = fold(stateOf(), [...bodies, { type: "iteration_interrupted", number: 1, why: "a stop" }]);
  expect(state).toMatchObject({ open: null, iterations });
});

test("an agent is called as the driver says, and by the driver's name in a journal from before that was told", () => {
  const state = stateOf();
  const begun = {
    type: "run_started",
    version: "1",
    driver: "codex",
    settings: {},
    state,
    pid: 1,
    started_by: "cli",
    project: "/p",
  } as const;
  expect(fold(state, [begun]).display_name).toBe("codex");
  expect(fold(state, [{ ...begun, display_name: "OpenAI Codex" }])).toMatchObject({
    driver: "codex",
    display_name: "OpenAI Codex",
  });
});
