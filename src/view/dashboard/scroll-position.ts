import type { OutputLine } from "./output-lines.ts";

/** The position of a user who scrolled up: the last line on the screen, by its number and by its event. */
export type ScrollPosition = {
  /** The number of output lines up to that one. */
  bottom: number;
  seq: number;
  /** The line's index within its event. */
  line: number;
};

/** @param bottom number of lines from the start to the last one on the screen; at least one */
export function scrollPositionAt(lines: readonly OutputLine[], bottom: number): ScrollPosition | null {
  const seq = lines[bottom - 1]?.seq;
  if (seq === undefined) return null;
  let first = bottom - 1;
  while (first > 0 && lines[first - 1]?.seq === seq) first -= 1;
  return { bottom, seq, line: bottom - 1 - first };
}

/** Finds the position again: older lines may be gone, and a terminal of another width folds all lines differently. */
export function findBottom({ seq, line }: ScrollPosition, lines: readonly OutputLine[]): number {
  const first = lines.findIndex((other) => other.seq >= seq);
  if (first === -1) return lines.length;
  return lines[first]?.seq === seq ? Math.min(lines.length, first + line + 1) : first + 1;
}
