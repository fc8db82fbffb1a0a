import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/** Whether this user may write into a folder; of one that is not there yet, into the nearest above it. */
export function isWritable(folder: string): boolean {
  const there = existsSync(folder) || dirname(folder) === folder ? folder : dirname(folder);
  if (there !== folder) return isWritable(there);
  try {
    accessSync(there, constants.W_OK | constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
