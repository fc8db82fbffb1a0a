import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { createHarvest, isTakenBack, type RunHarvest } from "../../../src/core/report/landed.ts";
import { evidence, iterationFinished, iterationStarted, play, runFinished, runStarted } from "../state-files/script.ts";

function harvest(...bodies: EventBody[]): RunHarvest {
  const { take, end } = createHarvest({ foldCase: false });
  for (const { event } of play(...bodies)) take([event]);
  return end();
}

const PLAN = { total: 2, checked: 0, unchecked: 2, blocking_unchecked: 2 };
const begins = (number: number): EventBody => ({ ...iterationStarted(number), plan: PLAN }) as EventBody;
const ticked = (...plan_ticked: string[]): EventBody =>
  iterationFinished({
    evidence: { ...evidence, plan: { ...PLAN, checked: 1 }, plan_delta: plan_ticked.length, plan_ticked },
  });
const gate = (command: string, passed: number): EventBody => ({
  ...{ type: "gate_finished", command, exit_code: 0, ms: 5, timed_out: false, output: "" },
  counts: { passed, failed: 0, skipped: 0 },
});
const kept = (name: string): EventBody =>
  ({ type: "checkpoint_made", name, commit: `c-${name}`, left_out: 0 }) as EventBody;

test("each tick of the plan is work that landed, with the iterations since the one before and the gates of its last", () => {
  const { landed, spent } = harvest(
    ...[runStarted(), begins(1), gate("t", 1), ticked()],
    ...[begins(2), gate("t", 7), ticked("one"), begins(3), ticked("two"), begins(4), ticked()],
  );
  expect(landed.map(({ tasks, first_iteration, last_iteration }) => [tasks, first_iteration, last_iteration])).toEqual([
    [["one"], 1, 2],
    [["two"], 3, 3],
  ]);
  expect(landed[0]?.gates).toEqual([{ command: "t", ok: true, ms: 5, tests: { passed: 7, failed: 0, skipped: 0 } }]);
  expect(landed.every((work) => work.ticked && work.end === null)).toBe(true);
  expect(spent).toHaveLength(4);
});

test("work says why it cannot be taken back alone, or that it can", () => {
  const alone = harvest(runStarted(), kept("1.before"), begins(1), ticked("one"), kept("1"));
  expect(alone.landed[0]?.stays).toBe(null);
  expect(harvest(runStarted(), begins(1), ticked("one")).landed[0]?.stays).toBe("iteration 1 has no checkpoints");
  expect(harvest(runStarted(), begins(1), ticked("one", "two")).landed[0]?.stays).toBe("one iteration did 2 tasks");
});

test("a run without a plan is one piece of work once it ended, named by its end", () => {
  expect(harvest(runStarted(), iterationStarted(1), iterationFinished()).landed).toEqual([]);
  const { landed } = harvest(runStarted(), iterationStarted(1), iterationFinished(), runFinished("max_iterations"));
  expect(landed).toMatchObject([{ ticked: false, mark: 1, end: { reason: "max_iterations" } }]);
});

test("a branch that a swarm landed is work, with what its worker spent and whether its commit was tested", () => {
  const usage = {
    ...{ input_tokens: 5, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 },
    cost_usd: 2,
  };
  const spent = { iterations: 1, calls: 1, usage: { ...usage, model: null } };
  const branch = (name: string, task: string) => ({ name, commit: "b", task, text: name });
  const put = (to: string, name: string): EventBody =>
    ({ type: "landed", target: "main", from: "a", to, branches: [branch(name, name)] }) as EventBody;
  const told = harvest(
    runStarted(),
    { type: "task_released", task: "x", worker: "w1", outcome: "handed_in", why: "", spent } as EventBody,
    { type: "land_tested", target: "main", commit: "t", branches: [], green: true, flaky: [], ms: 1 },
    ...[put("t", "x"), put("u", "y")],
  );
  expect(told.landed.map(({ tasks, target, usage: { cost_usd } }) => [tasks, target, cost_usd])).toEqual([
    [["x"], { branch: "main", tested: true }, 2],
    [["y"], { branch: "main", tested: false }, null],
  ]);
  expect(new Set(told.landed.map(({ mark }) => mark)).size).toBe(2);
  expect(told.spent).toMatchObject([{ worker: "w1", usage: { cost_usd: 2 } }]);
});

test("what was taken back after it landed is so, and what was done again later is not", () => {
  const [work] = harvest(runStarted(), begins(1), ticked("one")).landed;
  if (work === undefined) throw new Error("nothing landed");
  const later = new Date(Date.parse(work.at) + 1000).toISOString();
  const before = new Date(Date.parse(work.at) - 1000).toISOString();
  expect(isTakenBack(work, [{ task: "one", at: later }])).toBe(true);
  expect(isTakenBack(work, [{ task: "two", at: later }])).toBe(false);
  expect(isTakenBack(work, [{ task: "one", at: before }])).toBe(false);
  const undone = { type: "undone", to: null, task: "one", kept: "undo-1", written: 1, deleted: 0 };
  const { taken_back } = harvest(runStarted(), begins(1), ticked("one"), {
    ...undone,
    set_aside: [],
    left: [],
  } as EventBody);
  expect(taken_back.map(({ task }) => task)).toEqual(["one"]);
});
