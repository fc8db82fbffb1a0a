import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RalphEvent } from "../../core/journal/event.ts";
import { readJournal } from "./journal-read.ts";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;
/** The end of a journal that is read in full; before it, what an agent said and did is left out. */
const TAIL_BYTES = 512 * 1024;
/** The type stands behind the envelope, this far into a line at most. */
const ENVELOPE_BYTES = 240;
const BULKY = /^\{"v":\d+,.{0,220}?"type":"agent_(?:text|tool_started|tool_finished|retry)"/;

/** An event and the byte of the journal at which its line begins. */
export type EventAtOffset = { event: RalphEvent; at: number };

/** What is found at once in a journal of any length. */
export type JournalOverview = {
  /** Without the agent's texts and tools of long ago. */
  events: EventAtOffset[];
  /** Where reading goes on. */
  end: number;
};

/**
 * Reads a journal so that a screen can show it within a second even at 200 MB: nearly all of its bytes are the agent's
 * texts and tools, which are parsed only near the end.
 * @throws RalphError `environment` for a journal of a newer ralph
 */
export function readOverview(path: string): JournalOverview {
  const events: EventAtOffset[] = [];
  const fd = openSync(path, "r");
  let tail = 0;
  try {
    const size = fstatSync(fd).size;
    tail = size <= TAIL_BYTES ? 0 : skim(fd, size - TAIL_BYTES, events);
  } finally {
    closeSync(fd);
  }
  const rest = readEventsFrom(path, tail);
  return { events: [...events, ...rest.events], end: rest.end };
}

/** All events from a byte on, with where each begins, and where reading goes on. */
export function readEventsFrom(path: string, from: number): JournalOverview {
  const events: EventAtOffset[] = [];
  let end = from;
  for (const line of readJournal(path, from)) {
    if ("event" in line) events.push({ event: line.event, at: end });
    end = line.end;
  }
  return { events, end };
}

/** Parses the lines that say what the loop did, up to the first line that begins at `until`. @returns where that is */
function skim(fd: number, until: number, events: EventAtOffset[]): number {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The file's position of the line that is looked at. */
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
      take(line, begins, events);
      from = to + 1;
      begins = position + from;
    }
    rest.push(Buffer.from(chunk.subarray(from)));
    position += read;
  }
  return begins;
}

function take(line: Buffer, at: number, events: EventAtOffset[]): void {
  if (BULKY.test(line.subarray(0, ENVELOPE_BYTES).toString("latin1"))) return;
  const event = parsed(line.toString("utf8"));
  if (event !== null) events.push({ event, at });
}

function parsed(text: string): RalphEvent | null {
  try {
    const event: RalphEvent | null = JSON.parse(text);
    return typeof event?.type === "string" && typeof event.at === "string" ? event : null;
  } catch {
    return null; // a line that was torn or damaged: `ralph run` sees to it
  }
}
