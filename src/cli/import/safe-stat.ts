import { lstatSync, type Stats, statSync } from "node:fs";

/** What nothing can be found under: a name that is too long, links that go round, a path through a file. */
const NOWHERE = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"]);

/**
 * What a path leads to; undefined if nothing. People name sources by text as well.
 * @throws the file system's error if it may not be looked at
 */
export function safeStat(path: string, { follows }: { follows: boolean }): Stats | undefined {
  try {
    return follows ? statSync(path) : lstatSync(path);
  } catch (error) {
    if (NOWHERE.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
