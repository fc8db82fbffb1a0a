import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { initialState } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { newestWithBeginning, runReceipt } from "../../../src/effects/journal/run-list.ts";
import { testFolders } from "../../folders.ts";

const RUN = "0001-20260304-120000";
const envelope = { v: 1, seq: 1, at: "2026-03-04T12:00:00.000Z", run: RUN, iteration: 0 };
const STARTED = {
  ...envelope,
  type: "run_started",
  version: "1.0.0",
  driver: "demo",
  settings: {},
  state: initialState("/p"),
  pid: 1,
  started_by: "cli",
  project: "/p",
};
const END = {
  ...envelope,
  type: "run_finished",
  stop_reason: "max_iterations",
  exit_code: 4,
  sentence: "",
  iterations: 1,
  calls: 1,
  usage: noUsage(),
  cost_usd: null,
};
const textOf = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const first = `${JSON.stringify(STARTED)}\n`;

const newFolder = testFolders("runs");

function runsWith(journals: Record<string, string>): string {
  const dir = newFolder();
  for (const [run, text] of Object.entries(journals)) {
    mkdirSync(join(dir, run));
    writeFileSync(join(dir, run, "events.jsonl"), text);
  }
  return dir;
}

test("a receipt names a run as its folder is: a journal that came with a clone may name any", () => {
  const journal = textOf([
    { ...STARTED, run: "../../elsewhere" },
    { ...END, run: "../../elsewhere" },
  ]);
  expect(runReceipt(runsWith({ [RUN]: journal }), RUN, false)).toMatchObject({ run: RUN, status: "finished" });
});

test.each([
  ["an end of the version before the first one", { ...END, v: 0, usage: undefined }],
  ["a number that no program counted to", { ...END, iterations: 1e300 }],
])("%s is none", (_, end) => {
  const found = runReceipt(runsWith({ [RUN]: textOf([STARTED, end]) }), RUN, false);
  expect(found).toMatchObject({ status: "broken_off", iterations: 0 });
});

describe("the receipt of a run has null for what is unknown", () => {
  test.each([
    ["an empty journal", ""],
    ["a torn first line", first.slice(0, 40)],
    ["an invalid first line", "no JSON\n"],
  ])("with %s", (_, journal) => {
    expect(runReceipt(runsWith({ [RUN]: journal }), RUN, false)).toEqual({
      run: RUN,
      started_at: null,
      ended_at: null,
      driver: null,
      display_name: null,
      started_by: null,
      task: null,
      status: "broken_off",
      stop_reason: null,
      exit_code: null,
      iterations: 0,
      calls: 0,
      tokens: 0,
      cost_usd: null,
      earlier: { iterations: 0, cost_usd: null },
      bytes: journal.length,
    });
  });

  test("with the beginning of a run that broke off", () => {
    expect(runReceipt(runsWith({ [RUN]: first }), RUN, false)).toMatchObject({
      started_at: STARTED.at,
      ended_at: STARTED.at,
      driver: "demo",
      started_by: "cli",
      status: "broken_off",
    });
  });
});

test.each([true, false])(
  "an iteration that is under way, or broke off with its run, counts as in the report",
  (live) => {
    const begun = { ...envelope, type: "iteration_started", number: 1, call: 1, resume: null, plan: null, head: null };
    const journal = textOf([STARTED, { ...begun, seq: 2, iteration: 1, snapshot: null }]);
    expect(runReceipt(runsWith({ [RUN]: journal }), RUN, live)).toMatchObject({ iterations: 1, calls: 1 });
  },
);

test("a run stays finished when something is reset after its end", () => {
  const reset = {
    ...envelope,
    at: "2026-03-05T12:00:00.000Z",
    type: "reset",
    what: "both",
    reason: "manual_circuit_reset",
  };
  const journal = textOf([STARTED, END, reset]);
  expect(runReceipt(runsWith({ [RUN]: journal }), RUN, false)).toMatchObject({
    status: "finished",
    stop_reason: "max_iterations",
    ended_at: END.at,
  });
});

test("a run stays finished however much is said after its end", () => {
  const said = { ...envelope, at: "2026-03-05T12:00:00.000Z", type: "said", text: "x".repeat(2000) };
  const journal = [STARTED, END, ...Array.from({ length: 40 }, () => said)];
  expect(runReceipt(runsWith({ [RUN]: textOf(journal) }), RUN, false)).toMatchObject({
    status: "finished",
    stop_reason: "max_iterations",
    ended_at: END.at,
  });
});

test("a run that broke off ended with its last event, not with what was said days later", () => {
  const later = { ...envelope, at: "2026-03-05T12:00:00.000Z" };
  const found = { ...later, type: "run_recovered", of_run: RUN, interrupted_iteration: null, ended_processes: [] };
  const journal = textOf([STARTED, found, { ...later, type: "said", text: "Use yargs." }]);
  expect(runReceipt(runsWith({ [RUN]: journal }), RUN, false)).toMatchObject({
    status: "broken_off",
    ended_at: STARTED.at,
  });
});

test.each([
  ["that ended", [END]],
  ["that broke off", []],
])("a run %s tells what was spent before it, by one that broke off and whose work it went on with", (_, rest) => {
  const earlier = { iterations: 3, usage: { ...noUsage(), cost_usd: 1.5 } };
  const began = { ...STARTED, state: { ...initialState("/p"), earlier } };
  expect(runReceipt(runsWith({ [RUN]: textOf([began, ...rest]) }), RUN, false)).toMatchObject({
    earlier: { iterations: 3, cost_usd: 1.5 },
  });
});

test("the newest run with a beginning is the one that holds the project's state", () => {
  const [a, b, c] = ["0001-20260304-120000", "0002-20260304-120000", "0003-20260304-120000"] as const;
  const dir = runsWith({ [a]: first, [b]: first, [c]: "" });
  expect(newestWithBeginning(dir, [a, b, c])).toBe(b);
  expect(newestWithBeginning(dir, [c])).toBeNull();
});
