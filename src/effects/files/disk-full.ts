import { type StatsFs, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isDiskFull } from "../../core/system-error.ts";

/** With this many bytes free, the disk itself is not full. */
const AMPLE_BYTES = 64 * 1024 * 1024;

/**
 * The error to throw when a write to `path` ran out of space; null if it failed for another reason.
 * @param look what is left on the disk of a folder
 */
export function diskFull(path: string, cause: unknown, look: (folder: string) => Left = statfsSync): RalphError | null {
  if (!isDiskFull(cause)) return null;
  const folder = dirname(path);
  const { words, remedy } = describeLeft(folder, look);
  return new RalphError("environment", `The disk is full: ${path} cannot be written (${words}).`, {
    hint: `${remedy} '${folder}') and run ralph again; it goes on where it was.`,
    cause,
  });
}

type Left = Pick<StatsFs, "bavail" | "bsize" | "files" | "ffree">;

function describeLeft(folder: string, look: (folder: string) => Left): { words: string; remedy: string } {
  const remedy = "Free some space there (look with: df -h";
  try {
    const { bavail, bsize, files, ffree } = look(folder);
    // Beside free space, which `df -h` would show, a file system can run out of entries for files.
    if (files > 0 && ffree === 0)
      return {
        words: `it can hold no more than its ${files} files`,
        remedy: "Delete some files there (look with: df -i",
      };
    const left = bavail * bsize;
    const words =
      left > AMPLE_BYTES ? "there is room, but a quota is used up" : `${Math.round(left / 1024)} kB are free`;
    return { words, remedy };
  } catch {
    return { words: "no room is left", remedy }; // the folder is gone too
  }
}
