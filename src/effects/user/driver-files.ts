import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { containsPath } from "../files/contains-path.ts";

/** The names of the files in a folder of drivers, sorted; empty if there is no such folder. */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // missing or unreadable: no drivers there
  }
}

/** Absolute path of an existing file given relative to `folder`; null if there is none. */
export function existingFile(path: string, folder: string): string | null {
  const file = resolve(folder, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null;
}

/** Whether an existing file lies in a folder, by its path or after resolving links. */
export function containsFile(folder: string, file: string): boolean {
  return containsPath(folder, file) || containsPath(realpathSync(folder), realpathSync(file));
}

/** The folder of drivers in a project's `.ralph` or in the user's folder. */
export function driversFolder(parent: string): string {
  return join(parent, "drivers");
}
