import { fstatSync, statSync } from "node:fs";

/** Whether `path` still leads to the file open as `fd`; false if it is gone or replaced. */
export function isSameFile(fd: number, path: string): boolean {
  try {
    const there = statSync(path);
    const open = fstatSync(fd);
    return there.ino === open.ino && there.dev === open.dev;
  } catch {
    return false;
  }
}
