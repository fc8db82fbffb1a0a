import { readdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** The names of the files in a folder of drivers, sorted; none if there is no such folder. */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // no folder, or not for us: no drivers there
  }
}

/** Absolute path of an existing file that a user named relative to `folder`; null if there is none. */
export function existingFile(path: string, folder: string): string | null {
  const file = resolve(folder, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null;
}

/** Whether a file lies in a folder, by its name or by what its links lead to. */
export function isInside(file: string, folder: string): boolean {
  return [
    [file, folder],
    [realpathSync(file), realpathSync(folder)],
  ].some(([inner = "", outer = ""]) => {
    const way = relative(outer, inner);
    return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}

/** Where a folder of drivers is, in a project's `.ralph` or a user's folder. */
export function driversFolder(parent: string): string {
  return join(parent, "drivers");
}
