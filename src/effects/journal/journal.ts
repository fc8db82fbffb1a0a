import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { diskFull } from "../files/disk-full.ts";
import { isSameFile } from "../files/same-file.ts";
import { forceMkdir, moveAside } from "../protect/displace.ts";
import { JOURNAL_FILE, readJournal } from "./journal-read.ts";

/** One run's journal, open for appending. */
export type Journal = {
  /** The run's folder. */
  dir: string;
  /** Writes whole lines in one write; after a failed write nothing of them is left. */
  write(events: readonly RalphEvent[]): void;
  /** Starts an fsync and does not wait for it (it costs some 5 ms on a virtual disk; the agent runs meanwhile). */
  sync(): void;
  /**
   * Mends what somebody else did to the file: what was added is cut off, what stands in its place set aside. If our own
   * lines are no longer there, they are lost: the file begins anew with `snapshot`.
   * @returns what was mended, in words; empty when nothing was
   */
  repair(snapshot: () => RalphEvent): string[];
  /**
   * Puts the file back from the open descriptor if it, or a folder above it, was deleted or replaced; true if it was. It
   * begins with `snapshot` where our own lines are lost.
   */
  restoreIfLost(snapshot: () => RalphEvent): boolean;
  close(): void;
};

/** No file: a write to it fails, where a closed descriptor could be another file's by now. */
const NONE = -1;
/** What an agent says is nobody else's business. */
const PRIVATE = 0o600;

/**
 * Opens (or creates) the journal below `dir`; a torn tail is cut off first.
 * @throws RalphError `environment` if the folder cannot be written
 */
export function openJournal(dir: string): Journal {
  const path = join(dir, JOURNAL_FILE);
  let fd = openForAppend(dir, path);
  let size = cutTornTail(fd);
  /** Over all bytes of a new journal, to know them again; null where not all were written here. */
  let digest = size === 0 ? createHash("sha256") : null;
  let writtenAt = fstatSync(fd).mtimeMs;
  /** What others did to the file since it was mended: wrote to it at all, and added to its end. */
  let foreign = { writes: false, tail: false };

  /** All our lines, if they are still as they were written. */
  function ownLines(): Buffer | null {
    const content = readAll(fd, size);
    const same = digest === null || createHash("sha256").update(content).digest("hex") === digest.copy().digest("hex");
    return same ? content : null;
  }

  /** Lets go of the old file when all of the new one is written, and before it gets the name, which may be free only then. */
  function begin(content: Buffer): void {
    forceMkdir(dir);
    writeFileSync(newName(path), content, { mode: PRIVATE });
    closeSync(fd);
    fd = NONE;
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) moveAside(path);
    renameSync(newName(path), path);
    fd = openForAppend(dir, path);
    size = content.length;
    digest = createHash("sha256").update(content);
    writtenAt = fstatSync(fd).mtimeMs;
  }

  /** Looks before each write, which would hide it. */
  function look(): void {
    const stat = fstatSync(fd);
    if (stat.size === size && stat.mtimeMs === writtenAt) return;
    foreign = { writes: true, tail: foreign.tail || stat.size > size };
    if (stat.size > size) ftruncateSync(fd, size);
  }

  return {
    dir,
    write(events) {
      const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""), "utf8");
      try {
        look();
        writeAll(fd, bytes, size);
        size += bytes.length;
        digest?.update(bytes);
        writtenAt = fstatSync(fd).mtimeMs;
      } catch (cause) {
        tryTruncate(fd, size);
        throw unwritable(path, cause);
      }
    },
    sync() {
      // A failed fsync means that the disk failed; the next write reports that.
      fsync(fd, () => {});
    },
    repair(snapshot) {
      if (!existsSync(path) || digest === null) return [];
      const replaced = !isSameFile(fd, path);
      look();
      const { writes, tail } = foreign;
      foreign = { writes: false, tail: false };
      writtenAt = fstatSync(fd).mtimeMs;
      if (!writes && !replaced) return [];
      const own = ownLines();
      if (own !== null && !replaced) return tail ? ["the journal (what was added is cut off)"] : [];
      const aside = moveAside(path);
      begin(own ?? lineOf(snapshot()));
      const became = own === null ? "its lines are lost; it goes on from the state in memory" : "put back";
      return [`the journal (${became}; what was found is kept as ${basename(aside)})`];
    },
    restoreIfLost(snapshot) {
      if (isSameFile(fd, path)) return false;
      begin(ownLines() ?? lineOf(snapshot()));
      return true;
    },
    close() {
      if (fd !== NONE) closeSync(fd);
      fd = NONE;
    },
  };
}

/**
 * Rewrites a journal that has unreadable lines without them and sets the original aside beside it.
 * @returns the name that the original has now
 */
export function moveCorruptAside(dir: string, stamp: string): string {
  const path = join(dir, JOURNAL_FILE);
  const aside = `${path}.corrupt-${stamp}`;
  const good: string[] = [];
  for (const line of readJournal(path)) if ("event" in line) good.push(`${JSON.stringify(line.event)}\n`);
  renameSync(path, aside);
  writeFileSync(newName(path), good.join(""), { mode: PRIVATE });
  renameSync(newName(path), path);
  return aside;
}

/** Where a journal that takes another one's place is written. */
function newName(path: string): string {
  return `${path}.new`;
}

function openForAppend(dir: string, path: string): number {
  try {
    mkdirSync(dir, { recursive: true });
    return openSync(path, existsSync(path) ? "r+" : "wx+", PRIVATE);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function cutTornTail(fd: number): number {
  const size = fstatSync(fd).size;
  const window = Buffer.allocUnsafe(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - window.length);
    const read = readSync(fd, window, 0, end - start, start);
    const newline = window.subarray(0, read).lastIndexOf(0x0a);
    if (newline !== -1) {
      if (start + newline + 1 < size) ftruncateSync(fd, start + newline + 1);
      return start + newline + 1;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(fd, 0);
  return 0;
}

function lineOf(event: RalphEvent): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`, "utf8");
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

function tryTruncate(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {
    // The write already failed and is reported; the next opening cuts the torn tail off.
  }
}

function readAll(fd: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const read = readSync(fd, content, done, size - done, done);
    if (read === 0) break;
    done += read;
  }
  return content.subarray(0, done);
}

function unwritable(path: string, cause: unknown): RalphError {
  const full = diskFull(path, cause);
  if (full !== null) return full;
  return new RalphError("environment", `The journal ${path} cannot be written: ${(cause as Error).message}`, {
    hint: "Make the folder writable for you and run ralph again.",
    cause,
  });
}
