import { readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { isFolderAt } from "./path-kind.ts";

const MOST = 100;

/**
 * The folders that a path, typed so far, can become: those below it if it ends with a separator, else those beside it
 * whose names begin as its last part does. Hidden ones are named once a dot is typed.
 * @param typed absolute, or nothing is found
 * @returns whole paths in the order of their names, at most 100; none of a folder that cannot be read
 */
export function foldersOf(typed: string): string[] {
  if (!isAbsolute(typed)) return [];
  const isWhole = typed.endsWith("/") || typed.endsWith(sep);
  const [folder, begin] = isWhole ? [typed, ""] : [dirname(typed), basename(typed).toLowerCase()];
  return namesIn(folder)
    .filter((name) => name.toLowerCase().startsWith(begin) && (begin !== "" || !name.startsWith(".")))
    .sort((a, b) => a.localeCompare(b))
    .slice(0, MOST)
    .map((name) => join(folder, name));
}

/** What is typed is often no folder yet, or one of somebody else: there is nothing to offer then. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() || (entry.isSymbolicLink() && isFolderAt(join(folder, entry.name))) ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}
