import { fstatSync, statSync } from "node:fs";

/** Whether `path` still leads to the file that is open as `fd`; false where nothing is there, or another file. */
export function isSameFile(fd: number, path: string): boolean {
  try {
    const there = statSync(path);
    const open = fstatSync(fd);
    return there.ino === open.ino && there.dev === open.dev;
  } catch {
    return false;
  }
}
