import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { recordCrash } from "../../src/run/record-crash.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { callEvents, fold, NOON, stateOf } from "../core/given.ts";

const [begun] = callEvents(1, 1) as [EventBody];
const noRoom = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

/** What stands in the journal of a run that an error ended in its first iteration; `write` is the disk. */
function recorded(error: unknown, write: (events: readonly RalphEvent[]) => void = () => {}): RalphEvent[] {
  const journal: RalphEvent[] = [];
  const state = fold({ ...stateOf(), run: "0001" }, [begun]);
  const keep = (events: readonly RalphEvent[]) => {
    write(events);
    journal.push(...events);
  };
  recordCrash(
    createRecorder({ run: "0001", state, now: () => NOON, write: keep, sync: () => {}, subscribers: [] }),
    error,
  );
  return journal;
}

test.each<[string, unknown, string, number]>([
  ["an error of nobody", new TypeError("x is no function"), "internal_error", 1],
  ["the environment", new RalphError("environment", "It cannot be written."), "internal_error", 7],
  ["a system that refuses", Object.assign(new Error("EACCES"), { code: "EACCES" }), "internal_error", 7],
  ["a disk that is full", noRoom, "disk_full", 7],
  ["a quota that is used up", Object.assign(new Error("over quota"), { code: "EDQUOT" }), "disk_full", 7],
  ["a full disk behind an error of ralph", new RalphError("environment", "Full.", { cause: noRoom }), "disk_full", 7],
])("%s ends the run in the journal, after what was open", (_name, error, stop_reason, exit_code) => {
  const journal = recorded(error);
  expect(journal.map(({ type }) => type)).toEqual(["iteration_interrupted", "run_finished"]);
  expect(journal.at(-1)).toMatchObject({ stop_reason, exit_code, sentence: (error as Error).message });
});

test("where the journal itself has no room, nothing is thrown beside the error that is told", () => {
  const full = () => {
    throw new RalphError("environment", "The disk is full.", { cause: noRoom });
  };
  expect(recorded(noRoom, full)).toEqual([]);
});
