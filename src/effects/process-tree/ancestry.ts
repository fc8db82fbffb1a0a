import process from "node:process";
import { readLinux } from "./process-table-linux.ts";
import { hasMarker } from "./process-tree.ts";

/** More processes above one are no tree. */
const DEEPEST = 100;

/**
 * Whether a process above this one carries one of these values of RALPH_RUN: an agent started this, even if the variable
 * was taken out of its own environment. Known on Linux only; false elsewhere.
 */
export function isDescendantOfAgent(markers: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < DEEPEST; depth += 1) {
    if (markers.some((marker) => hasMarker(pid, marker))) return true;
    pid = readLinux(pid)?.parent ?? 0;
  }
  return false;
}
