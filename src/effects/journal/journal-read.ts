import { closeSync, type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_VERSION, type RalphEvent } from "../../core/journal/event.ts";
import { parseEvent } from "../../core/journal/event-schema.ts";
import { reasonOf } from "../../core/system-error.ts";
import { openRegular } from "../files/regular-file.ts";
import { byteLines } from "./byte-lines.ts";
import { isWords, type LineFilter } from "./line-filter.ts";

/** A longer line is no event: an answer of this length cannot be. It is not kept in memory. */
export const MAX_LINE_BYTES = 64 << 20;

export const JOURNAL_FILE = "events.jsonl";

/** A journal line: an event, or the text and number of an unreadable line ("" for one that is too long). `end` is its end as a byte offset in the file. */
export type JournalLine = { event: RalphEvent; end: number } | { bad: string; line: number; end: number };

/**
 * Reads a journal line by line in constant memory. Bytes after the last newline (a torn tail) are not a line.
 * @param without makes what says which lines are skipped unparsed
 * @throws RalphError `environment` for an event of a newer version than this program writes
 */
export function* readJournal(
  path: string,
  from = 0,
  without: (() => LineFilter) | null = null,
): Generator<JournalLine> {
  const fd = openRegular(path, "read");
  try {
    yield* readLines(fd, path, from, without?.() ?? null);
  } finally {
    closeSync(fd);
  }
}

/** How a journal is read. */
export type JournalReading = {
  /** False skips the agent's texts and successful tool results without parsing them. */
  words?: boolean;
  /** Called with the journal's path at each line that is left out because it cannot be used. */
  onBad?(path: string): void;
};

/**
 * The events of a journal; skips unreadable lines.
 * @throws RalphError as `readJournal`
 */
export function* journalEvents(path: string, { words = true, onBad }: JournalReading = {}): Generator<RalphEvent> {
  for (const line of readJournal(path, 0, words ? null : isWords)) {
    if ("event" in line) yield line.event;
    else onBad?.(path);
  }
}

/** Whether a journal has an event: one of a run that was killed before its first line, or of a full disk, has none. */
export function hasEvents(path: string): boolean {
  for (const _ of journalEvents(path)) return true;
  return false;
}

/** The numbers of a journal's lines that cannot be used. */
export function badLines(path: string): number[] {
  const bad: number[] = [];
  for (const line of readJournal(path)) if ("bad" in line) bad.push(line.line);
  return bad;
}

function* readLines(fd: number, path: string, from: number, without: LineFilter | null): Generator<JournalLine> {
  const lines = byteLines(fd, from, MAX_LINE_BYTES);
  for (let line = 1; lines.next(); line += 1) {
    const { bytes, start, end, after } = lines;
    if (lines.isTooLong) yield { bad: "", line, end: after };
    else if (without?.(bytes, start, end) !== true)
      yield parseLine(bytes.toString("utf8", start, end), path, line, after);
  }
}

/**
 * The event of a line; null for a line that is none.
 * @param place where it stands
 * @throws RalphError `environment` for an event of a newer version than this program writes
 */
export function usableEvent(line: string, place: string): RalphEvent | null {
  const event = parseEvent(line);
  if (event === null || event.v <= JOURNAL_VERSION) return event;
  throw new RalphError("environment", `${place} was written by a newer ralph (journal version ${event.v}).`, {
    hint: "Update ralph, or move the run's folder away to begin without its history.",
  });
}

function parseLine(text: string, path: string, line: number, end: number): JournalLine {
  const event = usableEvent(text, `${path}:${line}`);
  return event === null ? { bad: text, line, end } : { event, end };
}

/**
 * Runs below `runsDir`, oldest first. Names start with a counter, so a clock set back cannot reorder them.
 * @throws RalphError `environment` if it is not a folder or is unreadable
 */
export function listRuns(runsDir: string): string[] {
  return [...runsFromNewest(runsDir)].reverse();
}

/**
 * The same, the newest first. Each folder is looked into when it is its turn: of thousands that are kept, most want the last few.
 * @throws RalphError as `listRuns`
 */
export function* runsFromNewest(runsDir: string): Generator<string> {
  if (!existsSync(runsDir)) return;
  const found = entriesOf(runsDir)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, number: runNumber(name) }))
    .filter(({ number }) => number > 0)
    .sort((a, b) => b.number - a.number || (a.name < b.name ? 1 : -1));
  for (const { name } of found) if (existsSync(join(runsDir, name, JOURNAL_FILE))) yield name;
}

/**
 * The newest run; null if there is none.
 * @throws RalphError as `listRuns`
 */
export function newestRun(runsDir: string): string | null {
  for (const run of runsFromNewest(runsDir)) return run;
  return null;
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (cause) {
    throw new RalphError("environment", `The folder ${dir} cannot be read: ${reasonOf(cause)}`, {
      hint: "Make it a folder that you may read, or move it away to begin without its history.",
      cause,
    });
  }
}

/** Name of the run after the newest one: a counter, then the time in UTC. */
export function nextRunName(newest: string | null, now: number): string {
  const number = (newest === null ? 0 : runNumber(newest)) + 1;
  const [date = "", time = ""] = new Date(now).toISOString().split("T");
  return `${String(number).padStart(4, "0")}-${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
}

/** The run that follows another in a list, even if that other is gone; null for none. */
export function runAfter(runs: readonly string[], run: string): string | null {
  return runs.find((other) => runNumber(other) > runNumber(run)) ?? null;
}

function runNumber(name: string): number {
  const match = /^(\d{4,})-\d{8}-\d{6}$/.exec(name);
  return match === null ? 0 : Number(match[1]);
}
