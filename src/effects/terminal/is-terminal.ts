import { fstatSync, statSync } from "node:fs";
import process from "node:process";

/**
 * Whether a descriptor is a terminal. `node:tty` knows, and takes 3 ms to load: it is asked only about what may be one.
 * Scripts start ralph often, and give it pipes, files or the null device.
 */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  return mayBeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

function mayBeTerminal(fd: number): boolean {
  if (process.platform === "win32") return true;
  try {
    const device = fstatSync(fd);
    return device.isCharacterDevice() && device.rdev !== statSync("/dev/null").rdev;
  } catch {
    return true; // closed, or a system without /dev/null
  }
}
