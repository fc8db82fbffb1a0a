import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isDiskFull } from "../../core/system-error.ts";

/** With this many bytes free, the disk itself is not full. */
const AMPLE_BYTES = 64 * 1024 * 1024;

/** The error to throw when a write to `path` ran out of space; null if it failed for another reason. */
export function diskFull(path: string, cause: unknown): RalphError | null {
  if (!isDiskFull(cause)) return null;
  return new RalphError("environment", `The disk is full: ${path} cannot be written (${spaceLeft(path)}).`, {
    hint: `Free some space there (look with: df -h '${dirname(path)}') and run ralph again; it goes on where it was.`,
    cause,
  });
}

function spaceLeft(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    const left = bavail * bsize;
    if (left > AMPLE_BYTES) return "there is room, but a quota or the number of files is used up";
    return `${Math.round(left / 1024)} kB are free`;
  } catch {
    return "no room is left"; // the folder is gone too
  }
}
