import { rmSync } from "node:fs";

/** Removes a file that may stay: what stands there may be a folder or open (Windows), the disk read-only. */
export function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The caller goes on without.
  }
}
