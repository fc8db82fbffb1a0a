import { beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody } from "../../../src/core/journal/event.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { openJournal } from "../../../src/effects/journal/journal.ts";
import { foldNewestRun, foldRun } from "../../../src/effects/journal/journal-fold.ts";
import { keepFold, readKeptFold } from "../../../src/effects/journal/kept-fold.ts";
import { play, runFinished, runStarted } from "../../core/state-files/script.ts";
import { testFolders } from "../../folders.ts";

const zone = process.env.TZ;
const RUN = "0001-20260101-000000";
let runs = "";
let dir = "";
let state: State;
let hash = "";

const newFolder = testFolders("kept");
beforeEach(() => {
  runs = newFolder();
  dir = join(runs, RUN);
  mkdirSync(dir);
  const journal = openJournal(dir);
  // One that is worth it.
  const note: EventBody = { type: "note", level: "info", text: "x".repeat(1000) };
  const notes = Array.from({ length: 100 }, () => note);
  journal.write(play(runStarted(), ...notes, runFinished("interrupted")).map(({ event }) => event));
  hash = journal.sha256() ?? "";
  journal.close();
  state = foldRun(runs, RUN, "/p").state;
});

/** A state that no journal gives: whoever has it did not read one. */
const other = () => ({ ...state, iterations: 99 });
const newest = () => foldNewestRun(runs, "/p", state.version)?.state;

test("what is kept of a journal is what reading it gives, and spares reading it", () => {
  keepFold(dir, hash, state);
  expect(newest()).toEqual(state);
  keepFold(dir, hash, other());
  expect(newest()?.iterations).toBe(99);
});

test("a short journal is read itself", () => {
  keepFold(dir, hash, other());
  const { size } = statSync(join(dir, "events.jsonl"));
  expect([size, size + 1].map((least) => readKeptFold(dir, state.version, least)?.iterations)).toEqual([99, undefined]);
});

test("a journal that was there before has no hash: what it holds was not all seen", () => {
  const again = openJournal(dir);
  expect(again.sha256()).toBeNull();
  again.close();
});

test.each<[string, () => void]>([
  ["a line was added to the journal", () => appendFileSync(join(dir, "events.jsonl"), "{}\n")],
  [
    "a byte of the journal was changed",
    () => {
      const text = readFileSync(join(dir, "events.jsonl"), "utf8");
      writeFileSync(join(dir, "events.jsonl"), text.replace("run_finished", "run_FINISHED"));
    },
  ],
  [
    "what was kept was changed",
    () => {
      const text = readFileSync(join(dir, "fold.json"), "utf8");
      writeFileSync(join(dir, "fold.json"), text.replace('"iterations":99', '"iterations":98'));
    },
  ],
  ["only a part of it was written", () => writeFileSync(join(dir, "fold.json"), "0123")],
  ["a folder stands in its place", () => [rmSync(join(dir, "fold.json")), mkdirSync(join(dir, "fold.json"))]],
  ["another version kept it", () => keepFold(dir, hash, { ...other(), version: "0.0.1" })],
])("the journal is read where %s", (_, change) => {
  keepFold(dir, hash, other());
  change();
  expect(readKeptFold(dir, state.version, 0)).toBeNull();
  expect(newest()?.iterations).toBe(state.iterations);
});

test("what is kept holds in every time zone: a run's journal has its own", () => {
  try {
    process.env.TZ = "Asia/Tokyo";
    keepFold(dir, hash, other());
    process.env.TZ = "America/Lima";
    expect(readKeptFold(dir, state.version, 0)?.iterations).toBe(99);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test.each<[string, object]>([
  ["a part of the wrong kind", { gates: 5 }],
  ["a number beyond every measure", { iterations: 1e300 }],
  ["a part that lacks something", { inbox: {} }],
])("the journal is read where what is kept has %s: its seal has no key, so a clone can bring any", (_, forged) => {
  keepFold(dir, hash, { ...state, ...forged });
  expect(newest()).toEqual(state);
});

test("what is kept by somebody who left things out has them as before a first run", () => {
  const { inbox: _, failures: __, ...rest } = other();
  keepFold(dir, hash, rest as State);
  expect(newest()).toEqual(other());
});

test("where it cannot be written, nothing is kept and nothing fails", () => {
  mkdirSync(join(dir, "fold.json", "in the way"), { recursive: true });
  keepFold(dir, hash, state);
  expect(newest()).toEqual(state);
});
