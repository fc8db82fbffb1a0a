import { type Stats, statSync } from "node:fs";

/** Two writes within such a time may leave the same times: FAT counts in steps of 2 s, in ms. */
const STEP_MS = 2_000;

/** Identifies a version of a file, links followed, by its times, size and inode; null where nothing is. */
export function versionOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : textOf(stat);
}

/**
 * The same for a file that others may write at any moment; null also while it is so new that another write might not show.
 * @param now epoch ms, of the clock that stamps files
 */
export function settledVersionOf(path: string, now: number): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || now - Math.max(stat.mtimeMs, stat.ctimeMs) < STEP_MS) return null;
  return textOf(stat);
}

function textOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}
