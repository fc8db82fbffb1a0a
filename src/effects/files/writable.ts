import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/** Why this user may not write to a folder, or to its nearest existing parent if it does not exist; null if they may. */
export function writeRefusal(folder: string): unknown {
  const candidate = existsSync(folder) || dirname(folder) === folder ? folder : dirname(folder);
  if (candidate !== folder) return writeRefusal(candidate);
  try {
    accessSync(candidate, constants.W_OK | constants.R_OK);
    return null;
  } catch (error) {
    return error;
  }
}
