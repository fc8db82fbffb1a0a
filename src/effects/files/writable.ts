import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/** Whether this user may write to a folder, or to its nearest existing parent if it does not exist. */
export function isWritable(folder: string): boolean {
  const candidate = existsSync(folder) || dirname(folder) === folder ? folder : dirname(folder);
  if (candidate !== folder) return isWritable(candidate);
  try {
    accessSync(candidate, constants.W_OK | constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
