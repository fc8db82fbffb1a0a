import { renameSync, rmSync } from "node:fs";
import { PRIVATE_FILE } from "./private.ts";
import { writeNewFile } from "./regular-file.ts";

const PAUSES_MS = [2, 5, 10, 20, 40];
/** How often a write begins anew because another program took its temporary file for one that was left over. */
const TRIES = 5;
/** Windows refuses to rename over a file while a reader has it open. */
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Replaces a file atomically: writes a temporary file beside it and renames it, so no reader sees a partial write. A link at
 * that path is replaced, not followed.
 * @param mode permissions of the new file, less what the umask takes; without it only this user may read it
 * @throws the file system's error
 */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode = PRIVATE_FILE): void {
  const temporary = temporaryPath(path);
  for (let tries = 1; ; tries += 1) {
    try {
      writeNew(temporary, content, mode);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    try {
      renameOver(temporary, path);
      return;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || tries === TRIES) throw error;
    }
  }
}

/**
 * Renames a file; replaces the target if it exists.
 * @throws the file system's error, after removing `from`
 */
export function renameOver(from: string | Buffer, to: string | Buffer): void {
  const pauses = process.platform === "win32" ? [...PAUSES_MS] : [];
  for (;;) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const pause = BUSY.has(errorCode(error)) ? pauses.shift() : undefined;
      if (pause === undefined) {
        rmSync(from, { force: true });
        throw error;
      }
      wait(pause);
    }
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
 * `wx` follows no link. A temporary file that is there belongs to another program that writes the same file just now, or is
 * left over from a killed write if it stays.
 */
function writeNew(path: string, content: string | Uint8Array, mode: number): void {
  for (const pause of [...PAUSES_MS, null]) {
    try {
      writeNewFile(path, content, mode);
      return;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    if (pause !== null) wait(pause);
  }
  rmSync(path, { force: true });
  writeNewFile(path, content, mode);
}

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? "");
}
