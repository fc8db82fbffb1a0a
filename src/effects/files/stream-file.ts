import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { renameOver } from "./atomic-write.ts";
import { PRIVATE_FILE } from "./private.ts";
import { writeWhole } from "./regular-file.ts";
import { tryRemove } from "./try-remove.ts";

const BATCH_CHARS = 1 << 18;

/**
 * Writes a file piece by piece to a temporary file and renames it: readers see the old content or the new, never part of it.
 * Only one batch is in memory. A path that is not a regular file is written to directly.
 * @throws RalphError `environment` if it cannot be written
 */
export function streamFile(path: string, pieces: Iterable<string>): void {
  // The name includes the pid: two programs may write the same file at once, and writing takes time.
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    if (isSpecialFile(path)) write(path, "w", pieces);
    else {
      rmSync(temporary, { force: true });
      write(temporary, "wx", pieces, modeOf(path));
      renameOver(temporary, path);
    }
  } catch (cause) {
    // A read-only file system lets nothing be removed either, and why it cannot be written is the news.
    tryRemove(temporary);
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("environment", `${path} cannot be written: ${reasonOf(cause)}`, {
      hint: "Name a file in an existing folder that you may write to.",
      cause,
    });
  }
}

/** Nobody else may read a new file; who published an earlier one published this one too. */
function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? PRIVATE_FILE) & 0o777;
}

/** A device or a pipe such as `/dev/stdout`: replacing it would break it for every other program. */
function isSpecialFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

function write(path: string, flag: "w" | "wx", pieces: Iterable<string>, mode = PRIVATE_FILE): void {
  const fd = openSync(path, flag, mode);
  try {
    for (const batch of batches(pieces)) writeWhole(fd, batch);
  } finally {
    closeSync(fd);
  }
}

function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = "";
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH_CHARS) continue;
    yield batch;
    batch = "";
  }
  yield batch;
}
