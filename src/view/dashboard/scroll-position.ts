import type { OutputLine } from "./output-lines.ts";

/** What a person reads who scrolled: the last line on the screen, by its number and by the event that it tells of. */
export type ScrollPosition = {
  /** Lines of output from its beginning to there. */
  bottom: number;
  seq: number;
  /** Which line of that event it is, from 0. */
  line: number;
};

/** @param bottom how many lines, from the beginning, end with the last one on the screen; at least one */
export function scrollPositionAt(lines: readonly OutputLine[], bottom: number): ScrollPosition | null {
  const seq = lines[bottom - 1]?.seq;
  if (seq === undefined) return null;
  let first = bottom - 1;
  while (first > 0 && lines[first - 1]?.seq === seq) first -= 1;
  return { bottom, seq, line: bottom - 1 - first };
}

/** Where it stands now: lines above it may have gone, and a terminal of another width folds them all anew. */
export function findBottom({ seq, line }: ScrollPosition, lines: readonly OutputLine[]): number {
  const first = lines.findIndex((other) => other.seq >= seq);
  if (first === -1) return lines.length;
  return lines[first]?.seq === seq ? Math.min(lines.length, first + line + 1) : first + 1;
}
