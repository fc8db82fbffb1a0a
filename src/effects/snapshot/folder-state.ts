/** What a snapshot holds. Values are never changed, so that two snapshots share all that is the same in both. */
import type { Stats } from "node:fs";

/** What `lstat` said, in the fields that change when a file is written, replaced or renamed. Times in ms. */
export type Stamp = Readonly<{ mtime: number; ctime: number; size: number; ino: number; mode: number }>;

/** What of a file counts as a change. */
export type FileState = {
  /** Names the content: a git blob id where it could be read, `stat:…` where the file is too large. */
  readonly content: string;
  /** git's own mode: 100644, 100755, 120000 (link) or 160000 (submodule). */
  readonly kind: number;
};

/** A file as it was looked at last, so that it is read again only when it was written since. */
export type SeenFile = Stamp &
  FileState & {
    /** Written so shortly before it was looked at that a later write may not show in the stamp. */
    readonly racy: boolean;
  };

export type FolderState = {
  readonly files: ReadonlyMap<string, FileState>;
  /** Only those that hold a file somewhere below. */
  readonly folders: ReadonlyMap<string, FolderState>;
};

/** The one state of a folder in which nothing counts. */
export const EMPTY_FOLDER: FolderState = { files: new Map(), folders: new Map() };

export const REGULAR = 0o100644;
export const EXECUTABLE = 0o100755;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;

export function stampFrom(stat: Stats): Stamp {
  return { mtime: stat.mtimeMs, ctime: stat.ctimeMs, size: stat.size, ino: stat.ino, mode: stat.mode };
}

export function isSame(stamp: Stamp, stat: Stats): boolean {
  return (
    stamp.mtime === stat.mtimeMs &&
    stamp.ctime === stat.ctimeMs &&
    stamp.size === stat.size &&
    stamp.ino === stat.ino &&
    stamp.mode === stat.mode
  );
}

export function isSameState(a: FileState | undefined, b: FileState | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.content === b.content && a.kind === b.kind);
}

/** The kernel stamps files with a clock that ticks every 1 to 10 ms. */
const TICK_MS = 20;
/** FAT counts in steps of two seconds. */
const COARSE_TICK_MS = 2_000;

/** Whether a write after `lookedAt` (epoch ms) could leave these times as they are. */
export function isRacy(times: { mtimeMs: number; ctimeMs: number }, lookedAt: number): boolean {
  const tick = times.mtimeMs % 1_000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return times.mtimeMs >= lookedAt - tick || times.ctimeMs >= lookedAt - TICK_MS;
}
