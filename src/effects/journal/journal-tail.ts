import { closeSync, fstatSync } from "node:fs";
import type { RalphEvent } from "../../core/journal/event.ts";
import { openRegular } from "../files/regular-file.ts";
import { byteLines } from "./byte-lines.ts";
import { MAX_LINE_BYTES, readJournal, usableEvent } from "./journal-read.ts";
import { isBulky } from "./line-filter.ts";

/** This much of a journal's end is read in full; before it, the agent's texts and tools are skipped. */
const TAIL_BYTES = 512 * 1024;

/** An event and the byte offset at which its line starts. */
export type EventAtOffset = { event: RalphEvent; at: number };

/** The part of a journal that is quick to read at any length. */
export type JournalOverview = {
  /** Without the agent's older texts and tools. */
  events: EventAtOffset[];
  /** Byte offset at which to continue reading. */
  end: number;
  /** Whether a line was left out that cannot be used. */
  isDamaged: boolean;
};

/**
 * Reads a journal fast enough to show 200 MB within a second: most bytes are the agent's texts and tools, which it parses
 * only near the end.
 * @throws RalphError `environment` for a journal written by a newer ralph
 */
export function readOverview(path: string): JournalOverview {
  const events: EventAtOffset[] = [];
  const fd = openRegular(path, "read");
  let tail = 0;
  let isDamaged = false;
  const take = (line: string, at: number) => {
    const event = usableEvent(line, path);
    // Torn or damaged: `ralph run` repairs it.
    if (event === null) isDamaged = true;
    else events.push({ event, at });
  };
  try {
    const size = fstatSync(fd).size;
    tail = size <= TAIL_BYTES ? 0 : skim(fd, size - TAIL_BYTES, take);
  } finally {
    closeSync(fd);
  }
  const rest = readEventsFrom(path, tail);
  return { events: [...events, ...rest.events], end: rest.end, isDamaged: isDamaged || rest.isDamaged };
}

/** All events from a byte offset on, with the offset of each, and where to continue. */
export function readEventsFrom(path: string, from: number): JournalOverview {
  const events: EventAtOffset[] = [];
  let end = from;
  let isDamaged = false;
  for (const line of readJournal(path, from)) {
    if ("event" in line) events.push({ event: line.event, at: end });
    else isDamaged = true;
    end = line.end;
  }
  return { events, end, isDamaged };
}

/**
 * Takes the lines that record what the loop did, up to the first line that starts at or after `until`. @returns its offset
 */
function skim(fd: number, until: number, take: (line: string, at: number) => void): number {
  const lines = byteLines(fd, 0, MAX_LINE_BYTES);
  const isLeftOut = isBulky();
  while (lines.after < until && lines.next()) {
    const { bytes, start, end, begins } = lines;
    if (lines.isTooLong) take("", begins);
    else if (!isLeftOut(bytes, start, end)) take(bytes.toString("utf8", start, end), begins);
  }
  return lines.after;
}
