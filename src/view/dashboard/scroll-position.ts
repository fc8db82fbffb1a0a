import type { OutputLine } from "./output-lines.ts";

/** A line of the output, by its event: its number changes when older lines go or the terminal gets another width. */
export type Place = {
  seq: number;
  /** The line's index within its event. */
  line: number;
};

/** The position of a user who scrolled up: the last line on the screen, by its number and by its event. */
export type ScrollPosition = Place & {
  /** The number of output lines up to that one. */
  bottom: number;
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
export function findBottom({ seq, line }: Place, lines: readonly OutputLine[]): number {
  const first = lines.findIndex((other) => other.seq >= seq);
  if (first === -1) return lines.length;
  return lines[first]?.seq === seq ? Math.min(lines.length, first + line + 1) : first + 1;
}

/** The places of the wanted lines, from one number up to another. */
export function placesOf(
  lines: readonly OutputLine[],
  isWanted: (index: number) => boolean,
  from = 0,
  to = lines.length,
): ScrollPosition[] {
  const places: ScrollPosition[] = [];
  let first = from - (scrollPositionAt(lines, from + 1)?.line ?? 0);
  for (let index = from; index < to; index += 1) {
    const seq = lines[index]?.seq;
    if (seq === undefined) break;
    if (lines[first]?.seq !== seq) first = index;
    if (isWanted(index)) places.push({ seq, line: index - first, bottom: index + 1 });
  }
  return places;
}

export function isSamePlace(one: Place, other: Place | null): boolean {
  return one.seq === other?.seq && one.line === other.line;
}
