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
