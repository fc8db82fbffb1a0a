import { closeSync, existsSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  OLD_FILES,
  type OldFile,
  type OldFileName,
  type OldFiles,
} from "../../core/state-files/legacy/adopt-legacy.ts";
import { openRegular, readRegularText } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";

/** Of a longer file only the end is read: only logs grow this large. */
const TAIL_BYTES = 256 * 1024;
const WHOLE_BYTES = 8 * 1024 * 1024;

/**
 * Reads the state files of old programs, and our own projections.
 * @param dirs folders to search; the first that has a file wins: `.ralph`, then the project root of the flat layout
 */
export function readOldFiles(dirs: readonly string[]): OldFiles {
  const files: OldFiles = {};
  for (const name of OLD_FILES) {
    for (const dir of dirs) {
      const file = readOld(join(dir, name), name.endsWith(".jsonl") ? TAIL_BYTES : WHOLE_BYTES);
      if (file === null) continue;
      files[name] = file;
      break;
    }
  }
  return files;
}

/**
 * Renames an unreadable file to `.name.corrupt-<stamp>` beside it, so nothing is lost.
 * @param stamp time in a form that is safe in file names
 * @returns its new path; null if no folder has the file or it cannot be renamed
 */
export function moveOldFileAside(dirs: readonly string[], name: OldFileName, stamp: string): string | null {
  const path = dirs.map((dir) => join(dir, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  const base = basename(path);
  const aside = join(dirname(path), `${base.startsWith(".") ? "" : "."}${base}.corrupt-${stamp}`);
  for (let nth = 1; ; nth += 1) {
    const target = nth === 1 ? aside : `${aside}-${nth}`;
    if (existsSync(target)) continue;
    try {
      renamePatiently(path, target);
      return target;
    } catch {
      return null; // a read-only project: the file stays in place, so nothing is lost either
    }
  }
}

/** A regular file's text; null if it is missing, unreadable or not regular (reading a pipe would never end). */
function readOld(path: string, limit: number): OldFile | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return null;
    return {
      text: stat.size > limit ? readTail(path, stat.size, limit) : readRegularText(path),
      mtime: stat.mtimeMs,
    };
  } catch {
    return null;
  }
}

function readTail(path: string, size: number, bytes: number): string {
  const fd = openRegular(path, "read");
  try {
    const tail = Buffer.alloc(bytes);
    const read = readSync(fd, tail, 0, bytes, size - bytes);
    return tail.subarray(0, read).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
