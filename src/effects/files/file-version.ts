import { type Stats, statSync } from "node:fs";

/** Two writes within such a time may leave the same times: FAT counts in steps of 2 s, in ms. */
const STEP_MS = 2_000;

/** Identifies a version of a file by its times, size and inode, from what the caller has just seen. */
export function versionIn({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

/** The version of a file, links followed; null where nothing is, or it cannot be seen: reading it tells which. */
export function versionOf(path: string): string | null {
  const stat = statOf(path);
  return stat === null ? null : versionIn(stat);
}

/**
 * The same for a file that others may write at any moment; null also while it is so new that another write might not show.
 * @param now epoch ms, of the clock that stamps files
 */
export function settledVersionOf(path: string, now: number): string | null {
  const stat = statOf(path);
  if (stat === null || now - Math.max(stat.mtimeMs, stat.ctimeMs) < STEP_MS) return null;
  return versionIn(stat);
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
