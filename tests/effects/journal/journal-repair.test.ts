import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { moveCorruptAside, openJournal } from "../../../src/effects/journal/journal.ts";
import { readJournal } from "../../../src/effects/journal/journal-read.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("journal-repair");

function event(seq: number): RalphEvent {
  const at = "2026-01-01T00:00:00.000Z";
  return { v: 1, seq, at, run: "r", iteration: 0, type: "note", level: "info", text: "words" };
}

const AGAIN = 99;
const CUT = "the journal (added lines were cut off)";

/** What becomes of a journal of two events after a disturbance, with a third and a fourth event written later. */
function disturbed(disturb: (path: string) => void, writeBefore: boolean) {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const journal = openJournal(dir);
  journal.write([event(1), event(2)]);
  disturb(path);
  if (writeBefore) journal.write([event(3)]);
  const repairs = journal.repair(() => event(AGAIN));
  if (!writeBefore) journal.write([event(3)]);
  journal.write([event(4)]);
  const secondRepairs = journal.repair(() => event(AGAIN));
  journal.close();
  const lines = [...readJournal(path)].map((line) => ("event" in line ? line.event.seq : "bad"));
  return {
    repairs: repairs.join(),
    secondRepairs,
    lines,
    aside: readdirSync(dir).filter((name) => name.includes("changed")),
  };
}

const whole = [1, 2, 3, 4];
test.each<[string, (path: string) => void, boolean, string, (number | "bad")[]]>([
  ["nobody touched", () => {}, false, "", whole],
  ["another program only touched", (path) => utimesSync(path, 1, 1), false, "", whole],
  ["another program appended to", (path) => appendFileSync(path, "foreign\n"), false, CUT, whole],
  [
    "another program appended more to than ralph wrote after",
    (path) => appendFileSync(path, "x".repeat(999)),
    true,
    CUT,
    whole,
  ],
  ["was emptied", (path) => truncateSync(path), false, "lines are lost", [AGAIN, 3, 4]],
  ["was emptied, and written to after", (path) => truncateSync(path), true, "lines are lost", [AGAIN, 4]],
  [
    "was changed at the same length",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace("words", "WORDS")),
    true,
    "lines are lost",
    [AGAIN, 4],
  ],
  [
    "another file replaced",
    (path) => {
      rmSync(path);
      writeFileSync(path, "foreign\n");
    },
    true,
    "put back",
    whole,
  ],
  [
    "a folder replaced",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    true,
    "put back",
    whole,
  ],
])("repairing a journal that %s", (_name, disturb, writeBefore, repairs, lines) => {
  const found = disturbed(disturb, writeBefore);
  expect(found.repairs).toContain(repairs);
  if (repairs === "") expect(found.repairs).toBe("");
  expect(found.lines).toEqual(lines);
  expect(found.secondRepairs).toEqual([]);
  expect(found.aside).toHaveLength(repairs === "" || repairs === CUT ? 0 : 1);
});

test.each<[string, (dir: string, path: string) => void, (number | "bad")[]]>([
  ["deleted", (_, path) => rmSync(path), [1, 2, 3]],
  ["deleted with its folder", (dir) => rmSync(dir, { recursive: true }), [1, 2, 3]],
  ["emptied and deleted", (_, path) => [truncateSync(path), rmSync(path)], [AGAIN, 3]],
  ["replaced by another file", (_, path) => [rmSync(path), writeFileSync(path, "foreign\n".repeat(99))], [1, 2, 3]],
  ["replaced by a link to nowhere", (_, path) => [rmSync(path), symlinkSync("nowhere", path)], [1, 2, 3]],
  ["replaced by a folder", (_, path) => [rmSync(path), mkdirSync(path)], [1, 2, 3]],
  ["below a file", (dir) => [rmSync(dir, { recursive: true }), writeFileSync(dir, "")], [1, 2, 3]],
])("a journal that was %s is restored", (_name, disturb, lines) => {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const journal = openJournal(dir);
  journal.write([event(1), event(2)]);
  const snapshot = () => event(AGAIN);
  expect(journal.restoreIfLost(snapshot)).toBe(false);
  disturb(dir, path);
  expect(journal.restoreIfLost(snapshot)).toBe(true);
  expect(journal.restoreIfLost(snapshot)).toBe(false);
  journal.write([event(3)]);
  expect(journal.repair(snapshot)).toEqual([]);
  journal.close();
  expect([...readJournal(path)].map((line) => ("event" in line ? line.event.seq : "bad"))).toEqual(lines);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a deleted journal keeps its descriptor until it is written again", () => {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const journal = openJournal(dir);
  journal.write([event(1)]);
  rmSync(path);
  mkdirSync(`${path}.new`);
  expect(() => journal.restoreIfLost(() => event(AGAIN))).toThrow();
  rmSync(`${path}.new`, { recursive: true });
  expect(journal.restoreIfLost(() => event(AGAIN))).toBe(true);
  journal.close();
  expect([...readJournal(path)]).toMatchObject([{ event: { seq: 1 } }]);
  expect(readdirSync(dir)).toEqual(["events.jsonl"]);
});

test("what a kill left of a journal's replacement is in nobody's way", () => {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const journal = openJournal(dir);
  journal.write([event(1)]);
  rmSync(path);
  writeFileSync(`${path}.new`, "half a li");
  expect(journal.restoreIfLost(() => event(AGAIN))).toBe(true);
  journal.close();
  expect([...readJournal(path)]).toMatchObject([{ event: { seq: 1 } }]);

  const other = damaged();
  writeFileSync(`${other.path}.new`, "half a li");
  moveCorruptAside(other.dir, "now");
  expect([...readJournal(other.path)]).toMatchObject([{ event: { seq: 1 } }, { event: { seq: 2 } }]);
});

test("a journal that began anew keeps its lines at the next repair", () => {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const journal = openJournal(dir);
  journal.write([event(1)]);
  truncateSync(path);
  expect(journal.repair(() => event(AGAIN)).join()).toContain("lines are lost");
  journal.write([event(2)]);
  appendFileSync(path, "foreign\n");
  expect(journal.repair(() => event(AGAIN))).toEqual([CUT]);
  journal.close();
  expect([...readJournal(path)]).toMatchObject([{ event: { seq: AGAIN } }, { event: { seq: 2 } }]);
});

/** A journal of two events with a line between them that cannot be used. */
function damaged(): { dir: string; path: string; text: string } {
  const dir = mkdtempSync(join(root, "run-"));
  const path = join(dir, "events.jsonl");
  const text = `${JSON.stringify(event(1))}\ngarbage\n${JSON.stringify(event(2))}\n`;
  writeFileSync(path, text);
  return { dir, path, text };
}

test("a damaged journal becomes its usable lines, and is kept as it was", () => {
  const { dir, path, text } = damaged();
  const aside = moveCorruptAside(dir, "now");
  expect(aside).toBe(`${path}.corrupt-now`);
  expect(readFileSync(aside, "utf8")).toBe(text);
  expect([...readJournal(path)]).toMatchObject([{ event: { seq: 1 } }, { event: { seq: 2 } }]);
  expect(readdirSync(dir)).toHaveLength(2);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a damaged journal whose replacement cannot be written stays where it is", () => {
  const { dir, path, text } = damaged();
  mkdirSync(`${path}.new`);
  expect(() => moveCorruptAside(dir, "now")).toThrow();
  expect(readFileSync(path, "utf8")).toBe(text);
});
