import { existsSync } from "node:fs";
import { sep } from "node:path";
import process from "node:process";

/** The folder of this process as long as it is there, else the root: nothing can start in a folder that is gone, such as a removed worktree. */
export function ownFolder(): string {
  try {
    const folder = process.cwd();
    if (existsSync(folder)) return folder;
  } catch {
    // Some runtimes remember the folder, others say that it is gone.
  }
  return sep;
}
