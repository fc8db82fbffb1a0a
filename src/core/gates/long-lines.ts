import type { FileChange, WeakerReason } from "./compare.ts";

/** Longer lines are not read: nobody writes them, and patterns would take long for them. */
const LONGEST_LINE = 2000;

/** A text whose long lines are cut. */
export function withoutLongLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line))
    .join("\n");
}

/** What stands at the end of a new line that is too long cannot be judged. */
export function longLines({ path, before, after }: FileChange): WeakerReason[] {
  if (after === null || after.length <= LONGEST_LINE) return [];
  const known = new Set((before ?? "").split("\n"));
  const at = after.split("\n").findIndex((line) => line.length > LONGEST_LINE && !known.has(line));
  return at < 0 || before === null
    ? []
    : [{ path, line: at + 1, what: `a line of more than ${LONGEST_LINE} characters cannot be judged` }];
}
