/** What the events of a run make of its state. */
import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { carryOver } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { analysisOf, callEvents, evidenceOf, fold, stateOf } from "../given.ts";
import { after, iterationStarted, play, runFinished, runStarted } from "../state-files/script.ts";

type Ended = Extract<EventBody, { type: "iteration_finished" }>;

const finished = (about: Partial<Ended> = {}): EventBody => ({
  type: "iteration_finished",
  outcome: "answered",
  analysis: analysisOf(),
  evidence: evidenceOf(),
  verdict: { rule: "progress", sentence: "" },
  breaker: closedBreaker(),
  usage: noUsage(),
  ms: 1,
  ...about,
});
const iteration = (number: number, about: Partial<Ended> = {}): EventBody[] => [
  ...callEvents(number, 1),
  finished(about),
];
const crash = { ok: false, outcome: "failed", error: { class: "infrastructure", message: "500" } } as const;

describe("a failed call", () => {
  test("counts as a failure and lets the next one wait", () => {
    const { failures } = fold(stateOf(), callEvents(1, 1, crash));
    expect(failures).toMatchObject({ count: 1, in_a_row: 1, class: "infrastructure", message: "500" });
    expect(failures.until).not.toBeNull();
  });

  test("is forgotten after one that was answered", () => {
    const { failures } = fold(stateOf(), [...callEvents(1, 1, crash), ...callEvents(2, 1)]);
    expect(failures).toMatchObject({ count: 0, in_a_row: 0, until: null });
  });
});

describe("an iteration that has ended", () => {
  test("is one of the last ten of which the state keeps a row, unless it failed", () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    const state = fold(
      stateOf(),
      numbers.flatMap((number) => iteration(number, number === 11 ? { outcome: "failed" } : {})),
    );
    expect(state.trend.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
  });

  test.each<[string, "FAILING" | "PASSING", number]>([
    ["is disputed if it claims to be done while its tests fail", "FAILING", 1],
    ["is not disputed if it claims to be done and its tests pass", "PASSING", 0],
  ])("%s", (_name, tests_status, disputed) => {
    const analysis = analysisOf({ has_completion_signal: true, tests_status });
    expect(fold(stateOf(), iteration(1, { analysis })).held.disputed).toBe(disputed);
  });
});

describe("a review", () => {
  const review: EventBody = { type: "review_started", number: 1, call: 2 };
  const [, ended] = callEvents(1, 2);

  test("is what the run does from its start", () => {
    const state = fold(stateOf(), [...iteration(1), review]);
    expect(state).toMatchObject({ last_action: "reviewing", call: { purpose: "review", call: 2, iteration: 1 } });
  });

  test("is under way until it has an end of its own, after its agent's", () => {
    const state = fold(stateOf(), [...iteration(1), review, ...(ended === undefined ? [] : [ended])]);
    expect(state.call).toMatchObject({ purpose: "review", call: 2, agent: null });
    expect(fold(state, [{ type: "review_finished", call: 2, findings: null, sentence: "" }]).call).toBeNull();
  });
});

test("the history of sessions goes on in the next run", () => {
  const state = fold(stateOf(), [{ type: "reset", what: "session", reason: "api_error" }]);
  expect(state.session_history).toMatchObject([{ reason: "api_error" }]);
  expect(carryOver(state).session_history).toEqual(state.session_history);
});

describe("a reset", () => {
  const before = stateOf({
    breaker: { ...closedBreaker(), no_progress: 2 },
    session: { session_id: "s", driver: "demo", created_at: "", last_used: "" },
    signals: { test_only_loops: [], done_signals: [1], completion_indicators: [] },
    held: { disputed: 1, gated: 0 },
  });
  const afterReset = (what: "session" | "circuit" | "both") => {
    const { breaker, session, signals, held } = fold(before, [{ type: "reset", what, reason: "manual_reset_flag" }]);
    return [breaker.no_progress, session.session_id, signals.done_signals, held.disputed];
  };

  test("of the session leaves the breaker as it was, and forgets claims of done", () =>
    expect(afterReset("session")).toEqual([2, null, [], 0]));

  test("of the breaker leaves session and claims as they were", () =>
    expect(afterReset("circuit")).toEqual([0, "s", [1], 1]));

  test("of both leaves neither", () => expect(afterReset("both")).toEqual([0, null, [], 0]));
});

test("the last output is the first 80 characters of the last line with text", () => {
  const text = `first\n${"ü".repeat(100)}\n\n`;
  expect(fold(stateOf(), [{ type: "agent_text", call: 1, text }]).last_output).toBe("ü".repeat(80));
});

test("a run that broke off ended with its newest event before that was found, whatever is said to the next one later", () => {
  const found = (of_run: string): EventBody => ({
    ...{ type: "run_recovered", of_run, interrupted_iteration: null, ended_processes: [] },
  });
  const steps = play(runStarted(), iterationStarted(1), found("r1"), { type: "said", text: "x" }, found("r1"));
  const [, last] = steps;
  expect(steps.at(-1)?.state.broke_off_at).toBe(last?.event.at ?? "");
  expect(after(runStarted(), found("r0")).broke_off_at).toBeNull();
  expect(after(runStarted(), runFinished("max_iterations"), found("r1")).broke_off_at).toBeNull();
});
