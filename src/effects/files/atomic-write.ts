import { closeSync, lstatSync, rmSync } from "node:fs";
import { codeOf } from "../../core/system-error.ts";
import { PRIVATE_FILE } from "./private.ts";
import { openNewFile, writeWhole } from "./regular-file.ts";
import { renamePatiently } from "./rename.ts";
import { isSameFile } from "./same-file.ts";
import { tryRemove } from "./try-remove.ts";

/** How old a temporary file is that nobody writes any more: far longer than a living program is held up. */
const LEFT_OVER_MS = 60_000;

/** Temporary names that whoever comes to them clears up. More programs hardly ever write one file at once. */
const NUMBERED = 8;

/**
 * Replaces a file atomically: writes a temporary file beside it and renames it, so no reader sees a partial write. A link at
 * that path is replaced, not followed.
 * @param mode permissions of the new file, less what the umask takes; without it only this user may read it
 * @throws the file system's error
 */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode = PRIVATE_FILE): void {
  for (let nth = 1; nth <= NUMBERED; nth += 1) {
    const temporary = temporaryPath(path, nth);
    if (replacedBy(temporary, path, content, mode)) return;
    // Another program writes the same file just now, or was killed while it did. Its name is not taken over: who is only held up
    // would rename what it does not know.
    if (isLeftOver(temporary)) tryRemove(temporary);
  }
  // A name that nobody can have taken, whatever an agent put there. Hardly ever needed, and dear to load.
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  if (replacedBy(`${path}.${randomUUID().slice(0, 8)}.tmp`, path, content, mode)) return;
  throw Object.assign(new Error("EBUSY: another program takes its temporary files away"), { code: "EBUSY", path });
}

/**
 * Renames a file; replaces the target if it exists.
 * @throws the file system's error, after removing `from`
 */
export function renameOver(from: string | Buffer, to: string | Buffer): void {
  try {
    renamePatiently(from, to);
  } catch (error) {
    rmSync(from, { force: true });
    throw error;
  }
}

/** Removes a file (or a link to one) if it exists, and the temporary files of killed writes. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  for (let nth = 1; nth <= NUMBERED; nth += 1) tryRemove(temporaryPath(path, nth));
}

/** Numbers tell those of several writers apart: whoever comes to the name of a killed one removes what it left. */
function temporaryPath(path: string, nth = 1): string {
  return nth === 1 ? `${path}.tmp` : `${path}.${nth}.tmp`;
}

/** @returns false if the temporary name is another program's, or was taken: what is there may be half written, and is not renamed */
function replacedBy(temporary: string, path: string, content: string | Uint8Array, mode: number): boolean {
  try {
    if (!isWritten(temporary, content, mode)) return false;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  try {
    renameOver(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function isWritten(path: string, content: string | Uint8Array, mode: number): boolean {
  let fd: number;
  try {
    fd = openNewFile(path, mode);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeWhole(fd, content);
    // Before it is closed: after that, another file may get its number.
    return isSameFile(fd, path);
  } finally {
    closeSync(fd);
  }
}

/** Whether a temporary file is what a killed write left; ralph makes neither links nor folders. */
function isLeftOver(path: string): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  return there !== undefined && (!there.isFile() || Date.now() - there.mtimeMs > LEFT_OVER_MS);
}
