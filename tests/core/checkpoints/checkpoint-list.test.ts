import { expect, test } from "bun:test";
import {
  changedBetween,
  checkpointHistory,
  lastChangeBefore,
  stepsOfTask,
} from "../../../src/core/checkpoints/checkpoint-list.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";

const made = (name: string) =>
  ({
    v: 1,
    seq: 1,
    at: "2026-03-04T12:00:00.000Z",
    run: "0001",
    iteration: 0,
    type: "checkpoint_made",
    name,
    commit: "c",
    left_out: 0,
  }) as RalphEvent;

test("an undo that was killed keeps its name: the next one takes another", () => {
  expect(checkpointHistory([made("1.before"), made("1")]).nextUndo).toBe(1);
  expect(checkpointHistory([made("1"), made("undo-1")]).nextUndo).toBe(2);
  expect(checkpointHistory([made("undo-9"), made("undo-2")]).nextUndo).toBe(10);
});

const started = (number: number) => ({ ...made(""), type: "iteration_started", number }) as unknown as RalphEvent;
const ended = (iteration: number) =>
  ({
    ...made(""),
    type: "iteration_finished",
    iteration,
    analysis: { work_summary: "one" },
    evidence: { commits: [] },
  }) as unknown as RalphEvent;
const missed = (name: string) => ({ ...made(name), type: "checkpoint_missed", why: "full" }) as unknown as RalphEvent;
const foundBy = (number: number, ...events: RalphEvent[]) => checkpointHistory(events).before.get(number)?.name;

test("an iteration found the files of the checkpoint before it, also where that was written while its agent started", () => {
  const first = [made("1.before"), started(1)];
  expect(foundBy(2, ...first, made("1"), ended(1), started(2))).toBe("1");
  expect(foundBy(2, ...first, ended(1), made("1"), started(2))).toBe("1");
  expect(foundBy(2, ...first, ended(1), started(2), made("1"))).toBe("1");
  expect(foundBy(2, ...first, ended(1), started(2), made("1"), made("2.before"))).toBe("2.before");
  expect(foundBy(3, ...first, ended(1), started(2), made("1"), ended(2), started(3))).toBeUndefined();
  const { checkpoints } = checkpointHistory([...first, ended(1), started(2), made("1")]);
  expect(checkpoints.map(({ name, title }) => [name, title])).toEqual([
    ["1.before", null],
    ["1", "one"],
  ]);
});

test("an iteration whose checkpoint is missing is not given that of an earlier one", () => {
  const first = [made("1.before"), started(1)];
  expect(foundBy(2, ...first, ended(1), started(2))).toBeUndefined();
  expect(foundBy(2, ...first, ended(1), started(2), missed("1"))).toBeUndefined();
  expect(foundBy(2, ...first, missed("1"), ended(1), started(2))).toBeUndefined();
});

/** An iteration with its checkpoints, named as its commits are. */
function worked(number: number, task: string, ticked: string[], files: number): RalphEvent[] {
  const evidence = { commits: [], files_changed_count: files, plan_ticked: ticked };
  return [
    { ...made(`${number}.before`), commit: `before ${number}` } as RalphEvent,
    { ...started(number), task } as RalphEvent,
    { ...ended(number), evidence } as unknown as RalphEvent,
    { ...made(`${number}`), commit: `after ${number}` } as RalphEvent,
  ];
}

const history = checkpointHistory([
  ...worked(1, "one", ["one"], 1),
  ...worked(2, "two", [], 2),
  ...worked(3, "two", [], 0),
  ...worked(4, "two", ["two"], 0),
  ...worked(5, "three", ["three", "four"], 1),
  ...worked(6, "six", ["seven"], 1),
  ...worked(7, "six", ["six"], 1),
  ...worked(8, "five", [], 1),
]);

test("a task is taken back by all iterations that worked on it, the last first, and by no other", () => {
  const step = (iteration: number) => ({ iteration, before: `before ${iteration}`, after: `after ${iteration}` });
  expect(stepsOfTask(history, "one")).toEqual({ steps: [step(1)] });
  expect(stepsOfTask(history, "two")).toEqual({ steps: [step(4), step(3), step(2)] });
  // What the one before it did was another task, though this one was at hand.
  expect(stepsOfTask(history, "six")).toEqual({ steps: [step(7)] });
  expect(stepsOfTask(history, "three")).toEqual({ conflict: 'iteration 5 did "four" too' });
  expect(stepsOfTask(history, "five")).toBeNull();
});

test("a tick alone is a change that an undo names, and an iteration that did nothing is none", () => {
  expect([2, 4, 5, 1].map((number) => lastChangeBefore(history, number))).toEqual([1, 2, 4, null]);
});

test("what an iteration without a checkpoint of its end changed goes to the next one's beginning, where there is one", () => {
  const names = (events: readonly RalphEvent[], only: number | null) => {
    const found = changedBetween(checkpointHistory(events), only === null ? null : { first: only, last: only });
    return found && [found.from.name, found.to?.name ?? null];
  };
  const first = [made("1.before"), started(1)];
  expect(names(first, 1)).toEqual(["1.before", null]);
  expect(names([...first, made("2.before"), started(2)], 1)).toEqual(["1.before", "2.before"]);
  expect(names([...first, missed("1"), started(2)], 1)).toBeNull();
  expect(names([...first, ended(1), made("1"), started(2)], null)).toEqual(["1.before", null]);
});

test("what the work left is known from its last iteration or undo, and not where a call began that came to no end", () => {
  const leftBy = (...events: RalphEvent[]) => checkpointHistory(events).left?.name ?? null;
  const undone = (to: string | null) => ({ ...made(""), type: "undone", to }) as unknown as RalphEvent;
  const whole = [made("1.before"), started(1), ended(1), made("1")];
  expect(leftBy(...whole)).toBe("1");
  expect(leftBy(...whole, made("2.before"), started(2))).toBeNull();
  expect(leftBy(...whole, missed("2"))).toBeNull();
  expect(leftBy(...whole, made("undo-1"))).toBe("1");
  expect(leftBy(...whole, made("undo-1"), undone("1.before"))).toBe("1.before");
  expect(leftBy(...whole, made("undo-1"), undone(null))).toBeNull();
  expect(leftBy(...whole, made("undo-1"), undone("0000/3"))).toBeNull();
});
