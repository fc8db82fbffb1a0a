import { lstatSync, type Stats, statSync } from "node:fs";
import { codeOf } from "../../core/system-error.ts";

/** Errors of paths that lead nowhere: a name that is too long, links in a circle, a path through a file. */
const NOWHERE = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"]);

/**
 * The file that a path leads to; undefined if none. A source may also be text that is no path at all.
 * @throws the file system's error if it refuses access
 */
export function safeStat(path: string, { follows }: { follows: boolean }): Stats | undefined {
  try {
    return follows ? statSync(path) : lstatSync(path);
  } catch (error) {
    if (NOWHERE.has(codeOf(error))) return undefined;
    throw error;
  }
}
