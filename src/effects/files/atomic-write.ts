import { renameSync, rmSync, writeFileSync } from "node:fs";

const PAUSES_MS = [2, 5, 10, 20, 40];
/** Windows refuses to rename over a file that a reader has open just now. */
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Replaces a file as a whole: written under a temporary name beside it, then renamed, so that a reader never sees half of
 * it. A link of that name is replaced, not written through.
 * @throws the file system's error
 */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  const temporary = temporaryPath(path);
  try {
    writeNew(temporary, content);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameOver(temporary, path);
}

/**
 * Renames a file, over another one if there is one.
 * @throws the file system's error; `from` is gone then
 */
export function renameOver(from: string, to: string): void {
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
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

/** Removes a file, or a link to one, if it is there, and what a killed write left of it. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  rmSync(temporaryPath(path), { force: true });
}

function temporaryPath(path: string): string {
  return `${path}.tmp`;
}

/** `wx` follows no link; what stands there is left of a write that was killed. */
function writeNew(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    rmSync(path, { force: true });
    writeFileSync(path, content, { flag: "wx" });
  }
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? "");
}
