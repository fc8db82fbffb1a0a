import { mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf, writeHint } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";

/**
 * Replaces a settings file atomically, or makes it with its folder; keeps its permissions.
 * @param follow writes to what a link at that path leads to: a user may keep the own file elsewhere, but a project's link could
 *   lead to any file
 * @throws RalphError `environment` if it cannot be written
 */
export function writeSettingsFile(path: string, text: string, { follow }: { follow: boolean }): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const stat = statSync(path, { throwIfNoEntry: false });
    writeFileAtomic(follow && stat !== undefined ? realpathSync(path) : path, text, (stat?.mode ?? 0o666) & 0o777);
  } catch (cause) {
    throw new RalphError("environment", `${path} cannot be written: ${reasonOf(cause)}`, {
      hint: writeHint(cause, "Make the file and its folder writable for you."),
      cause,
    });
  }
}
