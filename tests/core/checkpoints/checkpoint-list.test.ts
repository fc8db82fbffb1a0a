import { expect, test } from "bun:test";
import { checkpointHistory } from "../../../src/core/checkpoints/checkpoint-list.ts";
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
