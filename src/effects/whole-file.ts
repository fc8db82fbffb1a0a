import { renameSync, rmSync, writeFileSync } from "node:fs";

const PAUSES_MS = [2, 5, 10, 20, 40];
/** Windows refuses to rename over a file that a reader has open just now. */
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Replaces a file as a whole: written under a temporary name beside it, then renamed, so that a reader never sees half of
 * it. A link of that name is replaced, not written through.
 * @throws the file system's error
 */
export function replaceFile(path: string, content: string): void {
  const temporary = temporaryOf(path);
  try {
    writeNew(temporary, content);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  try {
    renameSync(temporary, path);
  } catch (error) {
    if (!renamedLater(temporary, path, error)) throw error;
  }
}

/** Removes a file, or a link to one, if it is there, and what a killed write left of it. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  rmSync(temporaryOf(path), { force: true });
}

function temporaryOf(path: string): string {
  return `${path}.tmp`;
}

/** `wx` follows no link; what stands there is left of a write that was killed. */
function writeNew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    rmSync(path, { force: true });
    writeFileSync(path, content, { flag: "wx" });
  }
}

function renamedLater(from: string, to: string, error: unknown): boolean {
  let refusal = error;
  for (const pause of process.platform === "win32" ? PAUSES_MS : []) {
    if (!BUSY.has(codeOf(refusal))) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    try {
      renameSync(from, to);
      return true;
    } catch (again) {
      refusal = again;
    }
  }
  rmSync(from, { force: true });
  return false;
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? "");
}
