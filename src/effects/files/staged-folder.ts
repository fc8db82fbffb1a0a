import { cpSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";

/** Where a new folder is filled before it gets its name: beside it. Removes what a killed run left there. */
export function stagedFolder(dir: string): string {
  const staged = join(dirname(dir), `.${basename(dir)}.ralph-new`);
  rmSync(staged, { recursive: true, force: true });
  return staged;
}

/**
 * Renames a filled folder to its final name; copies it if renaming fails.
 * @throws RalphError `environment` if neither works
 */
export function renameFolder(staged: string, dir: string): void {
  try {
    renameSync(staged, dir);
  } catch {
    copy(staged, dir);
  }
}

/** On Windows, a program that reads a file in the folder (a virus scanner) blocks the rename. */
function copy(staged: string, dir: string): void {
  try {
    cpSync(staged, dir, { recursive: true, verbatimSymlinks: true });
    rmSync(staged, { recursive: true, force: true });
  } catch (cause) {
    throw new RalphError("environment", `${dir} cannot be written: ${reasonOf(cause)}`, {
      hint: `Its content is in ${staged}.`,
      cause,
    });
  }
}
