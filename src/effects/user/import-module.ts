import { pathToFileURL } from "node:url";
import { RalphError } from "../../core/errors.ts";
import { messageOf } from "../../core/system-error.ts";
import { placeInFile } from "../../core/text/place-in-file.ts";

/**
 * Runs a TypeScript or JavaScript module from disk; works in the compiled binary too, whose runtime strips types.
 * @param file absolute path
 * @returns its exports
 * @throws RalphError `config` if it is missing, does not parse, or throws
 */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    throw new RalphError("config", `The driver ${placeInFile(file, cause)} cannot be loaded: ${messageOf(cause)}`, {
      hint: "It must be a module that imports nothing but types, with the driver as its default export.",
      cause,
    });
  }
}
