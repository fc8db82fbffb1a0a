import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { reasonOf } from "../../core/system-error.ts";
import { renameOver } from "../files/atomic-write.ts";
import { diskFull } from "../files/disk-full.ts";
import { makePrivateFolder, PRIVATE_FILE, PRIVATE_FOLDER } from "../files/private.ts";
import { openRegular } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";
import { isSameFile } from "../files/same-file.ts";
import { forceMkdir, moveAside } from "../protect/displace.ts";
import { linkOrCopy } from "../state-files/log-files.ts";
import { JOURNAL_FILE, readJournal } from "./journal-read.ts";
import { createLineBuffer } from "./line-buffer.ts";

/** One run's journal, open for appending. */
export type Journal = {
  /** The run's folder. */
  dir: string;
  /** Writes whole lines in one write; a failed write leaves nothing behind. */
  write(events: readonly RalphEvent[]): void;
  /** Starts an fsync without waiting for it: about 5 ms on a virtual disk, while the agent runs. */
  sync(): void;
  /**
   * Undoes what another program did to the file: cuts off added bytes, moves a replacement aside. If our own lines are gone,
   * the file starts again with `snapshot`.
   * @returns a description of each repair; empty if there was none
   */
  repair(snapshot: () => RalphEvent): string[];
  /**
   * Restores the file from the open descriptor if it or a parent folder was deleted or replaced. If our own lines are lost,
   * the file starts with `snapshot`. @returns whether it was restored
   */
  restoreIfLost(snapshot: () => RalphEvent): boolean;
  /** SHA-256 of all its bytes, as hex; null if it was there before. */
  sha256(): string | null;
  close(): void;
};

/** Marks "no file": a write to it fails, while a closed descriptor may already belong to another file. */
const NONE = -1;
/** The agent's output is private to the user. */

/**
 * Opens (or creates) the journal below `dir`, after cutting off a torn tail.
 * @throws RalphError `environment` if the folder is not writable
 */
export function openJournal(dir: string): Journal {
  const path = join(dir, JOURNAL_FILE);
  const lines = createLineBuffer();
  let fd = openForAppend(dir, path);
  let size = cutTornTail(fd);
  /** Of all bytes of a new journal, to detect changes; null if the journal existed before. */
  let digest = size === 0 ? createHash("sha256") : null;
  let writtenAt = fstatSync(fd).mtimeMs;
  /** What other programs did to the file since the last repair: any write, and bytes added at the end. */
  let foreign = { writes: false, tail: false };

  /** All our lines if they are unchanged, otherwise null. */
  function ownLines(): Buffer | null {
    const content = readAll(fd, size);
    const same = digest === null || createHash("sha256").update(content).digest("hex") === digest.copy().digest("hex");
    return same ? content : null;
  }

  /** Closes the old file after the new one is written but before the rename: an open file may block the name. */
  function begin(content: Buffer): void {
    forceMkdir(dir, PRIVATE_FOLDER);
    writeNew(path, content);
    closeSync(fd);
    fd = NONE;
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) moveAside(path);
    renamePatiently(newName(path), path);
    fd = openForAppend(dir, path);
    size = content.length;
    digest = createHash("sha256").update(content);
    writtenAt = fstatSync(fd).mtimeMs;
  }

  /** Detects foreign writes; runs before each of our own, which would hide them. */
  function look(): void {
    const stat = fstatSync(fd);
    if (stat.size === size && stat.mtimeMs === writtenAt) return;
    foreign = { writes: true, tail: foreign.tail || stat.size > size };
    if (stat.size > size) ftruncateSync(fd, size);
  }

  return {
    dir,
    write(events) {
      const bytes = lines.of(events);
      try {
        look();
        writeAll(fd, bytes, size);
        writtenAt = fstatSync(fd).mtimeMs;
        // Last: until here a failure takes the lines away again.
        size += bytes.length;
        digest?.update(bytes);
      } catch (cause) {
        tryTruncate(fd, size);
        throw unwritable(path, cause);
      }
    },
    sync() {
      // A failed fsync means a failed disk; the next write reports that.
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
      if (own !== null && !replaced) return tail ? ["the journal (added lines were cut off)"] : [];
      const aside = moveAside(path);
      begin(own ?? lineOf(snapshot()));
      const became = own === null ? "its lines are lost; it continues from the state in memory" : "put back";
      return [`the journal (${became}; the file found there is kept as ${basename(aside)})`];
    },
    restoreIfLost(snapshot) {
      if (isSameFile(fd, path)) return false;
      begin(ownLines() ?? lineOf(snapshot()));
      return true;
    },
    sha256: () => digest?.copy().digest("hex") ?? null,
    close() {
      if (fd !== NONE) closeSync(fd);
      fd = NONE;
    },
  };
}

/**
 * Rewrites a journal without its unreadable lines and keeps the original beside it. A journal stands under its name at any moment: a
 * kill or a full disk in between must not cost the run.
 * @returns the new name of the original
 */
export function moveCorruptAside(dir: string, stamp: string): string {
  const path = join(dir, JOURNAL_FILE);
  writeGoodLines(path);
  const name = `${JOURNAL_FILE}.corrupt-${stamp}`;
  const kept = linkOrCopy(path, dir, (nth) => (nth === 1 ? name : `${name}-${nth}`));
  renameOver(newName(path), path);
  return join(dir, kept?.name ?? name);
}

/** Writes the usable lines of a journal, which may be longer than a text can be, as its replacement. */
function writeGoodLines(path: string): void {
  rmSync(newName(path), { force: true });
  const fd = openRegular(newName(path), "create");
  const lines = createLineBuffer();
  try {
    let size = 0;
    for (const line of readJournal(path)) {
      if ("bad" in line) continue;
      const bytes = lines.of([line.event]);
      writeAll(fd, bytes, size);
      size += bytes.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes the replacement of a journal; what stands in its place is left over from a killed write. */
function writeNew(path: string, content: string | Buffer): void {
  rmSync(newName(path), { force: true });
  writeFileSync(newName(path), content, { flag: "wx", mode: PRIVATE_FILE });
}

/** Where the replacement of a journal is written. */
function newName(path: string): string {
  return `${path}.new`;
}

function openForAppend(dir: string, path: string): number {
  try {
    // The folder of all runs too: an older ralph let others read it.
    makePrivateFolder(dirname(dir));
    makePrivateFolder(dir);
    return openRegular(path, existsSync(path) ? "update" : "create");
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
    // The write already failed and is reported; the next open cuts the torn tail off.
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
  return new RalphError("environment", `The journal ${path} cannot be written: ${reasonOf(cause)}`, {
    hint: "Make the folder writable for you and run ralph again.",
    cause,
  });
}
