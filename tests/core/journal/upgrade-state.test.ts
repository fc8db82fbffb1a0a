/** Journals of an earlier ralph: the state in their first line has no `call`. */
import { describe, expect, test } from "bun:test";
import { noReview } from "../../../src/core/decide/review-state.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { initialState, type State } from "../../../src/core/journal/state.ts";
import { noFailures } from "../../../src/core/stop/failure-backoff.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";

const agent = { pid: 4, group: 4, start_time: "9", marker: "m" };
const iteration = { number: 3, call: 2, started_at: "2026-03-04T12:00:00.000Z", usage: initialState("").usage };

/** The state after the first line of a journal with this snapshot. */
function begun(old: Record<string, unknown>): State {
  const { call: _, ...state } = { ...initialState("/project"), ...old };
  const event: unknown = {
    v: 1,
    seq: 1,
    at: "2026-03-04T12:00:00.000Z",
    run: "r",
    iteration: 0,
    type: "run_started",
    version: "0.1.0",
    driver: "demo",
    settings: {},
    state,
    pid: 1,
    started_by: "cli",
    project: "/project",
  };
  // As read from a file, which has no field that is undefined.
  return reduce(initialState(""), JSON.parse(JSON.stringify(event)) as RalphEvent);
}

const reviews = { iteration: 3, files: ["a"], commits: [], findings: null };

describe("a journal of an earlier ralph", () => {
  test("without a call under way has no open call", () => {
    expect(begun({ review: { ...reviews, open: null } })).toMatchObject({ call: null, open: null, review: reviews });
  });

  test("without figures on headway counts it from the beginning", () => {
    expect(begun({ headway: undefined }).headway).toEqual(noHeadway());
  });

  test("with an open iteration has that iteration's agent as its open call", () => {
    const state = begun({ open: { ...iteration, agent }, review: { ...reviews, open: null } });
    expect(state.call).toEqual({ purpose: "main", call: 2, iteration: 3, agent });
    expect(state.open).toEqual(iteration);
  });

  test("with an open review has the review as its open call", () => {
    const state = begun({ review: { ...reviews, open: { number: 3, call: 2, agent } } });
    expect(state.call).toEqual({ purpose: "review", call: 2, iteration: 3, agent });
    expect(state.review).toEqual(reviews);
  });

  test("with review number 0 open has an import as its open call", () => {
    const state = begun({ review: { ...reviews, open: { number: 0, call: 1, agent: null } } });
    expect(state.call).toEqual({ purpose: "import", call: 1, iteration: 0, agent: null });
  });

  test("is read even if its snapshot is empty", () => {
    expect(begun({ open: undefined, review: undefined }).call).toBeNull();
  });
});

test("a journal from before failures were compared has none that are the same", () => {
  const { same: _, ...failures } = { ...noFailures(), count: 2, class: "infrastructure" };
  expect(begun({ failures }).failures).toEqual({ ...noFailures(), count: 2, class: "infrastructure" });
});

test("a journal from before there were reviews has none, and nothing to review", () => {
  expect(begun({ review: undefined }).review).toEqual(noReview());
});
