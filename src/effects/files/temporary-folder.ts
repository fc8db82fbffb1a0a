import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { codeOf } from "../../core/system-error.ts";

/**
 * Makes a new folder in the system's temporary folder, and gives its path without links. TMPDIR outlives the folder that it names: a
 * session's own is removed with it.
 * @throws RalphError `environment` if there is no temporary folder
 */
export function makeTemporaryFolder(prefix: string): string {
  const place = tmpdir();
  try {
    return realpathSync(mkdtempSync(join(place, prefix)));
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
    const variable = process.platform === "win32" ? "TEMP" : "TMPDIR";
    throw new RalphError("environment", `The folder for temporary files, ${place}, does not exist.`, {
      hint: `Make it, or let ${variable} name another one.`,
      cause,
    });
  }
}
