import { expect, test } from "bun:test";
import type { RunReceipt } from "../../../src/core/report/run-receipt.ts";
import { type AskedRun, runStats, savingQuestions } from "../../../src/core/what-if/run-stats.ts";
import type { Course, WhatIf } from "../../../src/core/what-if/what-if-types.ts";

function receiptOf(about: Partial<RunReceipt>): RunReceipt {
  return {
    run: "0001",
    started_at: "2026-03-01T12:00:00.000Z",
    ended_at: "2026-03-01T13:00:00.000Z",
    driver: "demo",
    display_name: "Demo",
    started_by: "cli",
    task: null,
    status: "finished",
    stop_reason: "project_complete",
    exit_code: 0,
    iterations: 4,
    calls: 4,
    tokens: 0,
    cost_usd: 2,
    earlier: { iterations: 0, cost_usd: null },
    bytes: 0,
    ...about,
  };
}

const done = receiptOf({});
const stuck = receiptOf({ stop_reason: "stagnation_detected", exit_code: 3, iterations: 9, cost_usd: 6 });

const nothing: Course = {
  iterations: 0,
  calls: 0,
  cost_usd: 0,
  estimated_usd: null,
  tokens: 0,
  ms: 0,
  changing: 0,
  commits: 0,
  boxes_ticked: 0,
};

/** A run and its answer to one question: it ends, and this is what the record held after that. */
function endsBefore(receipt: RunReceipt, rest: Partial<Course>, all: Partial<Course> = {}): AskedRun {
  const end = { stop_reason: "max_iterations", exit_code: 4, sentence: "" } as const;
  const answer: WhatIf = {
    result: "ends",
    changed: [],
    divergence: null,
    end,
    course: nothing,
    rest: { ...nothing, ...rest },
  };
  return {
    receipt,
    report: { run: "0001", started_by: "cli", recorded: { ...nothing, ...all, end: null }, what_if: [answer] },
  };
}

test("bounds are asked about that cut no run that got done", () => {
  const dearer = receiptOf({ iterations: 3, cost_usd: 2.341 });
  expect(savingQuestions([done, dearer, stuck]).slice(0, 2)).toEqual([{ MAX_ITERATIONS: 4 }, { MAX_COST_USD: 2.35 }]);
  expect(savingQuestions([stuck])[0]).toEqual({ CB_NO_PROGRESS_THRESHOLD: 2 });
});

test("only money after which nothing was brought counts as saved", () => {
  const runs = [
    endsBefore(stuck, { cost_usd: 1.5, iterations: 3 }),
    endsBefore(stuck, { cost_usd: null, estimated_usd: 0.25, iterations: 1, changing: 1 }, { commits: 2 }),
    endsBefore(stuck, { cost_usd: 1, commits: 1 }, { commits: 2 }),
    endsBefore(stuck, { cost_usd: 1, changing: 1 }),
    endsBefore(done, { cost_usd: 1 }),
    { receipt: stuck, report: null },
  ];
  expect(runStats(runs, [{ MAX_ITERATIONS: 4 }]).savings).toEqual([
    {
      settings: { MAX_ITERATIONS: 4 },
      runs: 2,
      saved_usd: 1.75,
      saved_iterations: 4,
      cut_working: 2,
      cut_done: 1,
      done_earlier: 0,
      unknown: 1,
      same: 0,
    },
  ]);
});

test("outcomes, money and iterations are those of the receipts", () => {
  const runs = [done, receiptOf({ iterations: 2, cost_usd: null }), receiptOf({ iterations: 12 }), stuck].map(
    (receipt) => ({ receipt, report: null }),
  );
  expect(runStats(runs, [])).toMatchObject({
    runs: 4,
    done: 3,
    iterations: 27,
    cost_usd: 10,
    cost_per_done_usd: 3.33333333,
    iterations_to_done: { least: 2, median: 4, most: 12 },
    outcomes: [
      { stop_reason: "project_complete", exit_code: 0, runs: 3, cost_usd: 4 },
      { stop_reason: "stagnation_detected", exit_code: 3, runs: 1, cost_usd: 6 },
    ],
    savings: [],
  });
});

test("the days of several projects' runs are the first and the last of all, whichever project comes first", () => {
  const at = (day: number) =>
    receiptOf({ started_at: `2026-03-0${day}T12:00:00.000Z`, ended_at: `2026-03-0${day}T13:00:00.000Z` });
  const unknown = receiptOf({ started_at: null, ended_at: null });
  const runs = [at(4), at(5), at(2), unknown, at(3)].map((receipt): AskedRun => ({ receipt, report: null }));
  expect(runStats(runs, [])).toMatchObject({
    first_at: "2026-03-02T12:00:00.000Z",
    last_at: "2026-03-05T13:00:00.000Z",
  });
  expect(runStats(runs.slice(3, 4), [])).toMatchObject({ first_at: null, last_at: null });
});

test("a run that found everything done is no measure of what it takes to get done", () => {
  const found = receiptOf({ iterations: 0, cost_usd: null });
  const runs = [done, found, found].map((receipt): AskedRun => ({ receipt, report: null }));
  expect(runStats(runs, [])).toMatchObject({
    ...{ runs: 3, done: 3, cost_per_done_usd: 2 },
    iterations_to_done: { least: 4, median: 4, most: 4 },
  });
  expect(runStats(runs.slice(1), [])).toMatchObject({ done: 2, cost_per_done_usd: null, iterations_to_done: null });
});

test("what a run that broke off had spent counts for the run that went on with it, as the bounds count it", () => {
  const broken = receiptOf({ stop_reason: null, exit_code: null, iterations: 3, cost_usd: 1.5 });
  const goesOn = receiptOf({ iterations: 2, cost_usd: 0.81, earlier: { iterations: 3, cost_usd: 1.5 } });
  expect(savingQuestions([broken, goesOn]).slice(0, 2)).toEqual([{ MAX_ITERATIONS: 5 }, { MAX_COST_USD: 2.31 }]);
  const runs = [broken, goesOn].map((receipt): AskedRun => ({ receipt, report: null }));
  expect(runStats(runs, [])).toMatchObject({
    ...{ cost_usd: 2.31, iterations: 5, cost_per_done_usd: 2.31 },
    iterations_to_done: { least: 5, median: 5, most: 5 },
  });
});
