import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { isDiskFull } from "../../core/system-error.ts";
import { diskFull } from "../files/disk-full.ts";
import { isSameFile } from "../files/same-file.ts";
import type { LostOutputs } from "../protect/lost-outputs.ts";

/** What the last words of a run need: a few lines and a dozen small files. */
const ROOM_BYTES = 96 * 1024;

/** A file that an agent's bytes are appended to as they come. */
export type OutputFile = {
  append(chunk: Uint8Array): void;
  /** What comes after it is dropped: the descriptor may be another file's by then. */
  close(): void;
};

/**
 * Opens (or creates) `path` for appending. Each chunk is one write, at once: nothing is lost if ralph is killed.
 * @param lost where a file that was deleted meanwhile is kept; null: nobody asks for it
 * @throws RalphError `environment` if the file cannot be opened or written (disk full)
 */
export function openOutputFile(path: string, lost: LostOutputs | null = null): OutputFile {
  const fd = guarded(path, () => openSync(path, "a+"));
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
 * Takes back a chunk that did not fit, or as much of the end: on a full disk that is the room in which the journal and the
 * state files can still say what happened.
 */
function makeRoom(fd: number, written: number): void {
  try {
    ftruncateSync(fd, Math.max(fstatSync(fd).size - Math.max(written, ROOM_BYTES), 0));
  } catch {
    // A pipe or device in its place: nothing to be had there.
  }
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const full = diskFull(path, cause);
    if (full !== null) throw full;
    throw new RalphError("environment", `The agent's output cannot be written to ${path}.`, {
      hint: "Check that the disk has room and that the folder may be written.",
      cause,
    });
  }
}
