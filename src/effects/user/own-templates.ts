import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { readRegularText } from "../files/regular-file.ts";
import { existingFile } from "./driver-files.ts";
import { configFolder, type User } from "./home.ts";

/**
 * The user's own templates: those of ralph's configuration folder, else those of `~/.ralph`, the place of the originals.
 * @throws RalphError `config` for one that cannot be read
 */
export function readOwnTemplates(names: readonly string[], host: User): Record<string, { text: string; file: string }> {
  const folders = [configFolder(host), join(host.home, ".ralph")].map((parent) => join(parent, "templates"));
  const found = names.flatMap((name) => {
    const file = folders.map((folder) => existingFile(name, folder)).find((path) => path !== null);
    return file == null ? [] : [[name, { text: readTemplate(file), file }] as const];
  });
  return Object.fromEntries(found);
}

function readTemplate(file: string): string {
  try {
    return readRegularText(file).replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new RalphError("config", `The template ${file} cannot be read: ${reasonOf(cause)}`, {
      hint: "Make it readable, or take it away: the built-in one takes its place.",
      cause,
    });
  }
}
