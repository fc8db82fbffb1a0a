/** Reads small files that may not exist. */

import { lstatSync } from "node:fs";
import { versionIn } from "../files/file-version.ts";
import { readRegularIfThere, readRegularItself } from "../files/regular-file.ts";

/** The file's bytes; null if it is missing or unreadable. */
export function readBytes(path: string): Buffer | null {
  try {
    return readRegularIfThere(path);
  } catch {
    return null;
  }
}

/** The file's text; null if it is missing or unreadable. */
export function readText(path: string): string | null {
  return readBytes(path)?.toString("utf8") ?? null;
}

/** As `readText`, of a path that is no link. */
export function readTextItself(path: string): string | null {
  try {
    return readRegularItself(path).toString("utf8");
  } catch {
    return null;
  }
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
