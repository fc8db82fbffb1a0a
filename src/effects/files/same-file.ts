import { fstatSync } from "node:fs";
import { statThere } from "./stat-there.ts";

/**
 * Whether `path` still leads to the file open as `fd`; false if it is gone or replaced.
 * @throws the file system's error if that cannot be seen
 */
export function isSameFile(fd: number, path: string): boolean {
  const there = statThere(path);
  if (there === null) return false;
  const open = fstatSync(fd);
  return there.ino === open.ino && there.dev === open.dev;
}
