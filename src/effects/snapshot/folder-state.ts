/** The content of a snapshot. Values are immutable, so two snapshots share what is the same in both. */
import type { FileStat } from "./listing.ts";

/** The `lstat` fields that change when a file is written, replaced or renamed. Times in ms. */
export type Stamp = Readonly<{ mtime: number; ctime: number; size: number; ino: number; mode: number }>;

/** What counts as a change of a file. */
export type FileState = {
  /** Identifies the content: a git blob id, or `stat:…` if the file is too large to read. */
  readonly content: string;
  /** Git's mode: 100644, 100755, 120000 (link) or 160000 (submodule). */
  readonly kind: number;
  /** HEAD of a repository or submodule whose files are known one by one, or are none: it is no file beside them. No change by itself. */
  readonly isHead?: boolean;
};

/** A file as last examined; it is read again only if it was written since. */
export type SeenFile = Stamp &
  FileState & {
    /** Written so recently before the look that a later write may leave the stamp unchanged. */
    readonly racy: boolean;
  };

export type FolderState = {
  /** HEAD of a repository inside stands here, under the name of its folder. */
  readonly files: ReadonlyMap<string, FileState>;
  /** Only folders with a file somewhere below. */
  readonly folders: ReadonlyMap<string, FolderState>;
};

/** All files of a state, by their paths from its folder, each with its mode (octal) and content. */
export function filesBelow(root: FolderState): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (folder: FolderState, path: string): void => {
    for (const [name, { kind, content, isHead }] of folder.files)
      if (isHead !== true) found.set(path + name, `${kind.toString(8)} ${content}`);
    for (const [name, child] of folder.folders) collect(child, `${path}${name}/`);
  };
  collect(root, "");
  return found;
}

/** HEAD of each repository inside, by the path of its folder. */
export function headsBelow(root: FolderState): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (folder: FolderState, path: string): void => {
    for (const [name, { content, isHead }] of folder.files) if (isHead === true) found.set(path + name, content);
    for (const [name, child] of folder.folders) collect(child, `${path}${name}/`);
  };
  collect(root, "");
  return found;
}

/** The shared state of every folder in which nothing counts. */
export const EMPTY_FOLDER: FolderState = { files: new Map(), folders: new Map() };

export const REGULAR = 0o100644;
export const EXECUTABLE = 0o100755;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;

/** The stamp of a file or folder that was just looked at. */
export function stampFrom(stat: FileStat): Stamp {
  return { mtime: stat.mtimeMs, ctime: stat.ctimeMs, size: stat.size, ino: stat.ino, mode: stat.mode };
}

/** Whether nothing was written, replaced or renamed since that stamp. */
export function isSame(stamp: Stamp, stat: FileStat): boolean {
  return (
    stamp.mtime === stat.mtimeMs &&
    stamp.ctime === stat.ctimeMs &&
    stamp.size === stat.size &&
    stamp.ino === stat.ino &&
    stamp.mode === stat.mode
  );
}

/** Whether a file is unchanged; undefined stands for none. */
export function isSameState(a: FileState | undefined, b: FileState | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.content === b.content && a.kind === b.kind);
}

/** The kernel's clock for file times ticks every 1 to 10 ms. */
const TICK_MS = 20;
/** FAT has a resolution of two seconds. */
const COARSE_TICK_MS = 2_000;

/** The resolution of exFAT, and 2 s of FAT: others stamp finer, but for what was unpacked with a rounded time. */
const FAT_TICK_MS = 10;

/**
 * The stamp of a folder that was just listed; null where the next look must list it anew. FAT and exFAT tell nothing by it: Windows
 * leaves a folder's time there when a file comes or goes, and a root has none.
 */
export function folderStamp(stat: FileStat, lookedAt: number): Stamp | null {
  return stat.mtimeMs % FAT_TICK_MS === 0 || isRacy(stat, lookedAt) ? null : stampFrom(stat);
}

/** Whether a write after `lookedAt` (epoch ms) could leave these times unchanged. */
export function isRacy(times: { mtimeMs: number; ctimeMs: number }, lookedAt: number): boolean {
  const tick = times.mtimeMs % 1_000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return times.mtimeMs >= lookedAt - tick || times.ctimeMs >= lookedAt - TICK_MS;
}
