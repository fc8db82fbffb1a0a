import { closeSync, fstatSync, readSync } from "node:fs";
import type { RalphEvent } from "../../core/journal/event.ts";
import { parseEvent } from "../../core/journal/event-schema.ts";
import { openRegular } from "../files/regular-file.ts";
import { readJournal } from "./journal-read.ts";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;
/** This much of a journal's end is read in full; before it, the agent's texts and tools are skipped. */
const TAIL_BYTES = 512 * 1024;
/** An event's type follows its envelope, within this many bytes of the line's start. */
const ENVELOPE_BYTES = 240;
const BULKY = /^\{"v":\d+,.{0,220}?"type":"agent_(?:text|tool_started|tool_finished|retry)"/;

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
  const take = (line: Buffer, at: number) => {
    if (BULKY.test(line.subarray(0, ENVELOPE_BYTES).toString("latin1"))) return;
    const event = parseEvent(line.toString("utf8"));
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
function skim(fd: number, until: number, take: (line: Buffer, at: number) => void): number {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Offset of the current line. */
  let begins = 0;
  let rest: Buffer[] = [];
  for (let position = 0; begins < until; ) {
    const read = readSync(fd, buffer, 0, CHUNK_BYTES, position);
    if (read === 0) break;
    const chunk = buffer.subarray(0, read);
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1 && begins < until; to = chunk.indexOf(NEWLINE, from)) {
      const line = rest.length === 0 ? chunk.subarray(from, to) : Buffer.concat([...rest, chunk.subarray(from, to)]);
      rest = [];
      take(line, begins);
      from = to + 1;
      begins = position + from;
    }
    rest.push(Buffer.from(chunk.subarray(from)));
    position += read;
  }
  return begins;
}
