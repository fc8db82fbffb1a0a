import { type Stats, statSync } from "node:fs";
import { codeOf } from "../../core/system-error.ts";

/** Nothing is there: no such name, a file in place of a folder above it, or links in a circle. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/**
 * What stands at a path, or null if nothing does. What a failing disk does not show is not gone: who restores or moves
 * files must not take it for that.
 * @param look follows links by default
 * @throws the file system's error if it cannot be seen
 */
export function statThere(path: string, look: (path: string) => Stats = statSync): Stats | null {
  try {
    return look(path);
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return null;
    throw error;
  }
}
