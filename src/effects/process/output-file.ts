import { closeSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { isDiskFull, reasonOf } from "../../core/system-error.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { diskFull } from "../files/disk-full.ts";
import { openRegular } from "../files/regular-file.ts";
import { isSameFile } from "../files/same-file.ts";
import type { LostOutputs } from "../protect/lost-outputs.ts";
import { dropLink } from "../state-files/log-files.ts";
import type { WholeLines } from "./whole-lines.ts";

/** Room for the run's final records: a few lines and a dozen small files. */
const ROOM_BYTES = 96 * 1024;

/** A file to which an agent's output is appended as it arrives. */
export type OutputFile = {
  /** @param whole lines of the chunk, where somebody decoded them already */
  append(chunk: Buffer, whole?: WholeLines | null): void;
  /** Later chunks are dropped: the descriptor may belong to another file by then. */
  close(): void;
  /** Bytes that are kept, if there was more; null while all is. */
  keptBytes(): number | null;
};

/** Bytes of one output that are kept: an agent that prints without end must not fill the disk. */
const MAX_OUTPUT_BYTES = 256 << 20;

/**
 * Opens (or creates) `path` for appending; a link there is replaced, not followed. Each chunk is written at once, so nothing is lost if ralph is killed. A longer output ends
 * with a line that says so.
 * @param lost keeps a file that was deleted meanwhile; null: do not keep it
 * @param most bytes that are kept
 * @throws RalphError `environment` if the file cannot be opened or written (disk full)
 */
export function openOutputFile(path: string, lost: LostOutputs | null = null, most = MAX_OUTPUT_BYTES): OutputFile {
  const fd = guarded(path, () => {
    dropLink(path);
    return openRegular(path, "append");
  });
  let isOpen = true;
  let size = fstatSync(fd).size;
  let isCut = size >= most;
  return {
    append(output) {
      if (!isOpen || isCut) return;
      isCut = size + output.length > most;
      const end = `\n[ralph] There was more: of one output ${byteSize(most)} are kept.\n`;
      const chunk = isCut ? Buffer.concat([output.subarray(0, most - size), Buffer.from(end)]) : output;
      size += chunk.length;
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
    keptBytes: () => (isCut ? most : null),
    close() {
      if (!isOpen) return;
      isOpen = false;
      guarded(path, () => {
        if (lost !== null && !isSameFile(fd, path)) lost.keep(fd, path);
        else closeSync(fd);
      });
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
