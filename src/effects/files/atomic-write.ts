import { closeSync, rmSync } from "node:fs";
import { codeOf } from "../../core/system-error.ts";
import { waitSync } from "../wait-sync.ts";
import { PRIVATE_FILE } from "./private.ts";
import { openNewFile, writeWhole } from "./regular-file.ts";
import { PAUSES_MS, renamePatiently } from "./rename.ts";
import { isSameFile } from "./same-file.ts";

/** How often a write begins anew because another program took its temporary file for one that was left over. */
const TRIES = 5;

/**
 * Replaces a file atomically: writes a temporary file beside it and renames it, so no reader sees a partial write. A link at
 * that path is replaced, not followed.
 * @param mode permissions of the new file, less what the umask takes; without it only this user may read it
 * @throws the file system's error
 */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode = PRIVATE_FILE): void {
  const temporary = temporaryPath(path);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (!writeTemporary(temporary, content, mode)) continue;
    try {
      renameOver(temporary, path);
      return;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
  throw Object.assign(new Error("EBUSY: other programs write it all the time"), { code: "EBUSY", path });
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

/** Removes a file (or a link to one) if it exists, and the temporary file of a killed write. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  rmSync(temporaryPath(path), { force: true });
}

function temporaryPath(path: string): string {
  return `${path}.tmp`;
}

/**
 * A temporary file that is there belongs to another program that writes the same file just now, or is left over from a killed write
 * if it stays.
 * @returns false if another program took its place meanwhile: it may be half written, and must not be renamed
 */
function writeTemporary(path: string, content: string | Uint8Array, mode: number): boolean {
  try {
    for (const pause of [...PAUSES_MS, null]) {
      const written = writeNew(path, content, mode);
      if (written !== "is there") return written === "ours";
      if (pause !== null) waitSync(pause);
    }
    rmSync(path, { force: true });
    return writeNew(path, content, mode) === "ours";
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** `taken`: whoever is held up for long is taken for killed, and its file for left over. */
function writeNew(path: string, content: string | Uint8Array, mode: number): "ours" | "taken" | "is there" {
  let fd: number;
  try {
    fd = openNewFile(path, mode);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "is there";
    throw error;
  }
  try {
    writeWhole(fd, content);
    // Before it is closed: after that, another file may get its number.
    return isSameFile(fd, path) ? "ours" : "taken";
  } finally {
    closeSync(fd);
  }
}
