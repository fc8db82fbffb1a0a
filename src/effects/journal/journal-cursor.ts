import { statSync } from "node:fs";
import type { RalphEvent } from "../../core/journal/event.ts";
import { readJournal } from "./journal-read.ts";

/** A place in a journal that is read event by event, so that a long one is never held as a whole. */
export type JournalCursor = {
  /** The event that comes next; null at the end. */
  next(): RalphEvent | null;
  /** Goes behind that event. */
  skip(): void;
  /** Goes to the line that begins at a byte. */
  seek(at: number): void;
  /** How much of the journal lies behind, from 0 to 1. */
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
