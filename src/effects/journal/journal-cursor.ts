import { statSync } from "node:fs";
import type { RalphEvent } from "../../core/journal/event.ts";
import { readJournal } from "./journal-read.ts";

/** A position in a journal that is read event by event, so a long journal is never in memory as a whole. */
export type JournalCursor = {
  /** The next event; null at the end. */
  next(): RalphEvent | null;
  /** Moves past that event. */
  skip(): void;
  /** Moves to the line that starts at a byte offset. */
  seek(at: number): void;
  /** The share of the journal already read, from 0 to 1. */
  share(): number;
  close(): void;
};

/** @throws RalphError as `readJournal`, in every function that reads */
export function openCursor(path: string): JournalCursor {
  const size = statSync(path).size;
  let lines = readJournal(path);
  let behind = 0;
  let ahead: { event: RalphEvent; end: number } | null | undefined;
  const look = () => {
    for (let line = lines.next(); !line.done; line = lines.next()) if ("event" in line.value) return line.value;
    return null;
  };
  return {
    next() {
      if (ahead === undefined) ahead = look();
      return ahead?.event ?? null;
    },
    skip() {
      if (ahead === undefined) ahead = look();
      behind = ahead?.end ?? size;
      ahead = ahead === null ? null : undefined;
    },
    seek(at) {
      lines.return(undefined);
      lines = readJournal(path, at);
      behind = at;
      ahead = undefined;
    },
    share: () => (size === 0 ? 1 : Math.min(1, behind / size)),
    close: () => void lines.return(undefined),
  };
}
