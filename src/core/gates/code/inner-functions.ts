/** Functions inside of tests, such as what a made-up server answers with. */
import { assertionsIn } from "../assertions.ts";

/** A line at whose end the body of a function opens: what a language runs at once, as a loop or a lock, is none. */
const OPENS =
  /(?:[(,=:]|\breturn)\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s?[({]?$|\bfunction\b[^{}]*\{$|^\s*(?:async )?(?:def|fn|fun)\b.*[:{]$|\bfunc\([^{}]*\{$/;
/** Lines above and below that are looked at: the agent controls how many there are. */
const MOST_LINES = 200;

/**
 * Whether a line of a test stands in a function inside of it that states nothing: no end and no condition there is a way around what the
 * test states.
 * @param at index of the line
 * @param begin index of the line below the test's first one
 */
export function isInQuietFunction(lines: readonly string[], at: number, begin: number): boolean {
  let indent = indentOf(lines[at] ?? "");
  for (let above = at - 1; above >= Math.max(begin, at - MOST_LINES); above -= 1) {
    const line = (lines[above] ?? "").trimEnd();
    const own = indentOf(line);
    if (own < 0 || own >= indent) continue;
    if (OPENS.test(line)) return isQuiet(lines, above, own);
    indent = own;
  }
  return false;
}

function isQuiet(lines: readonly string[], opening: number, indent: number): boolean {
  const below = lines.slice(opening + 1, opening + 1 + MOST_LINES);
  const end = below.findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
  // Lines that stand further out than they belong end nothing.
  const closes = /[({]$/.test((lines[opening] ?? "").trimEnd()) ? /^\s*[})\]]/ : /^/;
  return end >= 0 && closes.test(below[end] ?? "") && assertionsIn(below.slice(0, end).join("\n")).length === 0;
}

/** -1 for a blank line. */
function indentOf(line: string): number {
  return line.search(/\S/);
}
