import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { recordCrash } from "../../src/run/record-crash.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { callEvents, fold, NOON, stateOf } from "../core/given.ts";

const [begun] = callEvents(1, 1) as [EventBody];
const noRoom = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

/** The journal of a run that crashed in its first iteration; `write` is the disk. */
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
  ["an unknown error", new TypeError("x is no function"), "internal_error", 1],
  ["an error of the environment", new RalphError("environment", "It cannot be written."), "internal_error", 7],
  ["a refusal of the system", Object.assign(new Error("EACCES"), { code: "EACCES" }), "internal_error", 7],
  ["a full disk", noRoom, "disk_full", 7],
  ["an exhausted quota", Object.assign(new Error("over quota"), { code: "EDQUOT" }), "disk_full", 7],
  ["a full disk behind an error of ralph", new RalphError("environment", "Full.", { cause: noRoom }), "disk_full", 7],
])("%s closes the open iteration and ends the run in the journal", (_name, error, stop_reason, exit_code) => {
  const journal = recorded(error);
  expect(journal.map(({ type }) => type)).toEqual(["iteration_interrupted", "run_finished"]);
  expect(journal.at(-1)).toMatchObject({ stop_reason, exit_code, sentence: (error as Error).message });
});

test("a journal that cannot be written adds no error to the one that is reported", () => {
  const full = () => {
    throw new RalphError("environment", "The disk is full.", { cause: noRoom });
  };
  expect(recorded(noRoom, full)).toEqual([]);
});

test("a thrown text is the sentence of the run's end", () => {
  expect(recorded("a text").at(-1)).toMatchObject({ stop_reason: "internal_error", sentence: "a text" });
});
