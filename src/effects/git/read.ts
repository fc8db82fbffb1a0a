/** Reads small files that may not exist. */

import { lstatSync } from "node:fs";
import { versionIn } from "../files/file-version.ts";
import { MAX_FILE_BYTES, MAX_TEXT_BYTES, readRegularIfThere } from "../files/regular-file.ts";

/** The file's bytes, of one that grows with the repository; null if it is missing or unreadable. */
export function readBytes(path: string, most = MAX_FILE_BYTES): Buffer | null {
  try {
    return readRegularIfThere(path, most);
  } catch {
    return null;
  }
}

/** The file's text; null if it is missing, unreadable, or larger than any that git writes. */
export function readText(path: string, most = MAX_TEXT_BYTES): string | null {
  return readBytes(path, most)?.toString("utf8") ?? null;
}

/** Identifies a version of a file by times, size and inode; null if it does not exist. */
export function readStamp(path: string): string | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : versionIn(stat);
  } catch {
    return null;
  }
}
