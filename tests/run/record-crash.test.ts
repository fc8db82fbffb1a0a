import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { dayOf } from "../../src/core/money/spending.ts";
import type { SpendingLedger } from "../../src/effects/ports.ts";
import { recordCrash } from "../../src/run/record-crash.ts";
import { createRecorder } from "../../src/run/recorder.ts";
import { callEvents, fold, NOON, stateOf } from "../core/given.ts";

const STARTED: EventBody = {
  type: "agent_started",
  call: 1,
  purpose: "main",
  ...{ pid: 7, group: 7, start_time: "1", marker: "m", argv: [] },
};
const paid = (cost_usd: number): EventBody => ({ type: "agent_usage", call: 1, ...noUsage(), cost_usd });
const [begun] = callEvents(1, 1) as [EventBody];
const noRoom = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

type Situation = {
  /** What happened after the start of its first iteration. */
  happened?: readonly EventBody[];
  /** The disk. */
  write?(events: readonly RalphEvent[]): void;
  ledger?: SpendingLedger;
  freeRoom?(): void;
};

/** The journal of a run that crashed in its first iteration. */
function recorded(error: unknown, { happened = [], write, ledger, freeRoom = () => {} }: Situation = {}): RalphEvent[] {
  const journal: RalphEvent[] = [];
  const state = fold({ ...stateOf(), run: "0001" }, [begun, ...happened]);
  const keep = (events: readonly RalphEvent[]) => {
    write?.(events);
    journal.push(...events);
  };
  const recorder = createRecorder({
    run: "0001",
    state,
    now: () => NOON,
    write: keep,
    sync: () => {},
    subscribers: [],
  });
  recordCrash(recorder, error, { ledger: ledger ?? { add: () => {}, spentOn: () => 0 }, freeRoom });
  return journal;
}

test.each<[string, unknown, string, number]>([
  ["an unknown error", new TypeError("x is no function"), "internal_error", 1],
  ["an error of the environment", new RalphError("environment", "It cannot be written."), "environment_error", 7],
  ["a refusal of the system", Object.assign(new Error("EACCES"), { code: "EACCES" }), "environment_error", 7],
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
  expect(recorded(noRoom, { write: full })).toEqual([]);
});

test("a full disk is recorded in the room that the run held for it", () => {
  let isFull = true;
  const write = () => {
    if (isFull) throw noRoom;
  };
  const freeRoom = () => {
    isFull = false;
  };
  expect(recorded(noRoom, { write, freeRoom }).at(-1)).toMatchObject({ stop_reason: "disk_full" });
});

test("a thrown text is the sentence of the run's end", () => {
  expect(recorded("a text").at(-1)).toMatchObject({ stop_reason: "internal_error", sentence: "a text" });
});

test("what the call under way had cost counts for the day, once the journal has its end", () => {
  const spent: [string, number][] = [];
  const ledger = { add: (at: number, usd: number) => void spent.push([dayOf(at), usd]), spentOn: () => 0 };
  const full = () => {
    throw noRoom;
  };
  // The next start closes the journal, and counts it then.
  recorded(noRoom, { happened: [STARTED, paid(2), paid(1)], ledger, write: full });
  expect(spent).toEqual([]);
  recorded(noRoom, { happened: [STARTED, paid(2), paid(1)], ledger });
  expect(spent).toEqual([[dayOf(NOON), 3]]);
});
