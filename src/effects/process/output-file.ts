import { closeSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { isDiskFull, reasonOf } from "../../core/system-error.ts";
import { diskFull } from "../files/disk-full.ts";
import { openRegular } from "../files/regular-file.ts";
import { isSameFile } from "../files/same-file.ts";
import type { LostOutputs } from "../protect/lost-outputs.ts";

/** Room for the run's final records: a few lines and a dozen small files. */
const ROOM_BYTES = 96 * 1024;

/** A file to which an agent's output is appended as it arrives. */
export type OutputFile = {
  append(chunk: Uint8Array): void;
  /** Later chunks are dropped: the descriptor may belong to another file by then. */
  close(): void;
};

/**
 * Opens (or creates) `path` for appending. Each chunk is written at once, so nothing is lost if ralph is killed.
 * @param lost keeps a file that was deleted meanwhile; null: do not keep it
 * @throws RalphError `environment` if the file cannot be opened or written (disk full)
 */
export function openOutputFile(path: string, lost: LostOutputs | null = null): OutputFile {
  const fd = guarded(path, () => openRegular(path, "append"));
  let isOpen = true;
  return {
    append(chunk) {
      if (!isOpen) return;
      guarded(path, () => {
        let done = 0;
        try {
          while (done < chunk.length) done += writeSync(fd, chunk, done);
        } catch (error) {
          if (isDiskFull(error)) makeRoom(fd, done);
          throw error;
        }
      });
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (lost !== null && !isSameFile(fd, path)) lost.keep(fd, path);
      else closeSync(fd);
    },
  };
}

/**
 * Removes a chunk that did not fit, and at least 96 kB: on a full disk the journal and the state files need that room to
 * record what happened.
 */
function makeRoom(fd: number, written: number): void {
  try {
    ftruncateSync(fd, Math.max(fstatSync(fd).size - Math.max(written, ROOM_BYTES), 0));
  } catch {
    // A pipe or device: truncating frees nothing.
  }
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const full = diskFull(path, cause);
    if (full !== null) throw full;
    throw new RalphError("environment", `The agent's output cannot be written to ${path}: ${reasonOf(cause)}`, {
      hint: "Check that the disk has room and that the folder may be written.",
      cause,
    });
  }
}
