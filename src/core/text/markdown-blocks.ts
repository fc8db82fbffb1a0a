/**
 * The Markdown lines that plans, documents and answers share: headings, list items, boxes and code fences. Each
 * function is linear in the line's length.
 */

// A dot is any character: a line separator (U+2028), as word processors write it, ends no line.
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s;
/** A bullet or a number. */
const MARKER = "[-*+]|\\d{1,9}[.)]";
const ITEM = new RegExp(`^(\\s*)(${MARKER})(\\s+)(?=\\S)`);
/**
 * A link with a one-letter text is no box. One whose blank was forgotten, or written twice, is: people and agents write it so, and a plan that only seemed
 * to be ticked ended as done.
 */
const BOX = new RegExp(`^(\\s*(?:${MARKER})\\s+\\[)([xX]|[ \\t\\u00a0]+|(?=\\](?:\\s|$)))(\\](?![([])\\s*)(.*)$`, "s");
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/s;

/** An ATX heading; its title without the closing hashes, "" for a bare one. */
export type HeadingLine = { level: number; title: string };

/** An item's text may be a box. */
export type ListItem = { indent: string; marker: string; isNumbered: boolean; gap: string; text: string };

/** The parts of a box as written: `before`, `mark`, `after` and `text` together are the line. */
export type BoxLine = {
  /** Up to the opening bracket. */
  before: string;
  mark: string;
  /** The closing bracket and the blanks after it. */
  after: string;
  text: string;
  isDone: boolean;
};

/** The start or end of a code block; `info` is the text after the backticks or tildes. */
export type Fence = { mark: string; length: number; info: string };

export function parseHeading(line: string): HeadingLine | null {
  const [all, hashes = "", words = ""] = HEADING.exec(line) ?? [];
  if (all === undefined) return null;
  const title = words
    .trim()
    .replace(/(^|[ \t])#+$/, "")
    .trimEnd();
  return { level: hashes.length, title };
}

export function parseListItem(line: string): ListItem | null {
  const [all, indent = "", marker = "", gap = ""] = ITEM.exec(line) ?? [];
  if (all === undefined) return null;
  return { indent, marker, isNumbered: marker.length > 1, gap, text: line.slice(all.length) };
}

/** Parses a list item that starts with `[ ]`, `[]`, `[  ]` or `[x]` (interfaces.md "ralph plan"). */
export function parseBox(line: string): BoxLine | null {
  const [all, before = "", mark = "", after = "", text = ""] = BOX.exec(line) ?? [];
  return all === undefined ? null : { before, mark, after, text, isDone: mark === "x" || mark === "X" };
}

export function parseFence(line: string): Fence | null {
  const [all, run = "", info = ""] = FENCE.exec(line) ?? [];
  if (all === undefined) return null;
  const mark = run.charAt(0);
  // Backticks in the rest of the line make it inline code.
  return mark === "`" && info.includes("`") ? null : { mark, length: run.length, info: info.trim() };
}

/** Whether a line closes the block that `open` opened: a fence of its kind, at least as long, and alone. */
export function closesFence(line: string, open: Fence): boolean {
  const fence = parseFence(line);
  return fence !== null && fence.info === "" && fence.mark === open.mark && fence.length >= open.length;
}
