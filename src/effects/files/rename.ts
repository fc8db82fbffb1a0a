import { renameSync } from "node:fs";
import { codeOf } from "../../core/system-error.ts";
import { waitSync } from "../wait-sync.ts";

/** How long others are waited for, step by step. */
const PAUSES_MS: readonly number[] = [2, 5, 10, 20, 40];
/** What a disk says of a file that another program has open. */
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Renames a file or folder, over a file that is there. Windows refuses that for as long as a virus scanner or a reader has one of them
 * open, and so does its disk where WSL or a share shows it to another system: hence on all of them.
 * @throws the file system's error
 */
export function renamePatiently(from: string | Buffer, to: string | Buffer): void {
  const pauses = [...PAUSES_MS];
  for (;;) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const pause = BUSY.has(codeOf(error)) ? pauses.shift() : undefined;
      if (pause === undefined) throw error;
      waitSync(pause);
    }
  }
}
