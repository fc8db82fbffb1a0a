import { cpSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";

/** Where a new folder is filled before it gets its name: beside it, and empty of what one that was killed left there. */
export function stagedFolder(dir: string): string {
  const staged = join(dirname(dir), `.${basename(dir)}.ralph-new`);
  rmSync(staged, { recursive: true, force: true });
  return staged;
}

/**
 * Gives a folder its name.
 * @throws RalphError `environment` if that cannot be
 */
export function renameFolder(staged: string, dir: string): void {
  try {
    renameSync(staged, dir);
  } catch {
    copy(staged, dir);
  }
}

/** On Windows whoever looks at a file in it, a scanner of viruses, is in the way of a folder's new name. */
function copy(staged: string, dir: string): void {
  try {
    cpSync(staged, dir, { recursive: true, verbatimSymlinks: true });
    rmSync(staged, { recursive: true, force: true });
  } catch (cause) {
    throw new RalphError("environment", `${dir} cannot be written: ${(cause as Error).message}`, {
      hint: `What was to be in it is in ${staged}.`,
      cause,
    });
  }
}
