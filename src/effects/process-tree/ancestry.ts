import process from "node:process";
import { readLinux } from "./process-table-linux.ts";
import { hasMarker } from "./process-tree.ts";

/** Stops a loop in a broken table: no real tree is this deep. */
const MAX_DEPTH = 100;

/**
 * Whether an ancestor carries one of these values of RALPH_RUN: then an agent started this process, even if its own
 * environment lacks the variable. Works on Linux only; false elsewhere.
 */
export function isDescendantOfAgent(markers: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < MAX_DEPTH; depth += 1) {
    if (markers.some((marker) => hasMarker(pid, marker))) return true;
    pid = readLinux(pid)?.parent ?? 0;
  }
  return false;
}
