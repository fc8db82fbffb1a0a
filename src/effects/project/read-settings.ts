import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { MAX_SETTINGS_BYTES, readRegular } from "../files/regular-file.ts";

/** Where a project's settings may be, in search order: the current place, then the old one. */
export const SETTINGS_PATHS = [".ralph/.ralphrc", ".ralphrc"] as const;

/**
 * A project's settings file, with its path as displayed; null if there is none.
 * @throws RalphError `config` if the file exists but is not readable UTF-8 text
 */
export function readSettingsFile(project: string): { path: string; text: string } | null {
  for (const path of SETTINGS_PATHS) {
    const file = readSettingsAt(join(project, path), path);
    if (file !== null) return file;
  }
  return null;
}

/**
 * A settings file; null if there is none.
 * @param path as displayed
 * @throws RalphError `config` if the file exists but is not readable UTF-8 text
 */
export function readSettingsAt(absolute: string, path: string): { path: string; text: string } | null {
  const bytes = readIfThere(absolute, path);
  return bytes === null ? null : { path, text: decode(bytes, path) };
}

function readIfThere(absolute: string, path: string): Buffer | null {
  try {
    return readRegular(absolute, MAX_SETTINGS_BYTES);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "EISDIR") {
      throw new RalphError("config", `${path} is a folder, and ralph expects the settings file there.`, {
        hint: "Rename the folder.",
        cause,
      });
    }
    throw new RalphError("config", `${path} cannot be read: ${reasonOf(cause)}`, {
      hint: "Make it a small text file that you may read.",
      cause,
    });
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    // With its byte order mark, so that a change of a setting does not take it away.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new RalphError("config", `${path} is not UTF-8 text.`, { hint: "Save it as UTF-8.", cause });
  }
}
