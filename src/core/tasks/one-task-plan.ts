/** A plan in which one task is all there is to do, for a worker that others work beside. */
import { parseBox, parseHeading, parseListItem } from "../text/markdown-blocks.ts";
import { visibleLines } from "../text/markdown-lines.ts";
import { splitLines } from "../text/text-lines.ts";

/**
 * The text of a plan without its other boxes and what stands below them; headings above the task, its own notes and all other text stay.
 * @param line of the task's box, from 1
 */
export function oneTaskPlan(text: string, line: number): string {
  const lines = splitLines(text);
  const kinds = new Map([...visibleLines(text)].map(({ number, text: shown }) => [number, shown]));
  const kept: string[] = [];
  /** The indent of the foreign box that the lines belong to. */
  let foreign: number | null = null;
  for (const [index, whole] of lines.entries()) {
    const shown = kinds.get(index + 1) ?? null;
    const isHeading = shown !== null && parseHeading(shown) !== null;
    const isBox = shown !== null && parseBox(shown) !== null;
    const indent = whole.length - whole.trimStart().length;
    if (isBox) foreign = index + 1 === line ? null : indent;
    else if (isHeading || (foreign !== null && endsBlock(whole, indent, foreign))) foreign = null;
    if (foreign === null) kept.push(whole);
  }
  return withoutEmptySections(kept).join("\n");
}

/** Whether a line is outside of the item with that indent: text or another item that is not deeper. */
function endsBlock(line: string, indent: number, of: number): boolean {
  return line.trim() !== "" && indent <= of && (parseListItem(line) !== null || indent === 0);
}

/** Headings with nothing below them, down to the next one of their level or above, say nothing. */
function withoutEmptySections(lines: readonly string[]): string[] {
  const kept: string[] = [];
  /** The level of the heading below; everything between has been seen. */
  let below = 0;
  let hasText = false;
  for (const line of [...lines].reverse()) {
    const level = parseHeading(line)?.level ?? null;
    if (level === null) {
      hasText ||= line.trim() !== "";
      kept.push(line);
      continue;
    }
    if (hasText || below > level) {
      kept.push(line);
      below = level;
    } else while (kept.length > 0 && kept.at(-1)?.trim() === "") kept.pop();
    hasText = false;
  }
  return kept.reverse();
}
