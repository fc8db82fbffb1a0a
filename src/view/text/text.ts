import stringWidth from "string-width";
import { plainText, singleLine } from "../../core/text/plain-text.ts";
import { STYLE } from "./style.ts";

const STYLES = new RegExp(STYLE, "g");
/** ASCII, Latin, and ralph's own symbols: nearly all lines need no lookup. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2026\u2190-\u21ff\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/;

/**
 * Makes someone else's text safe to print: removes terminal escapes and control characters except \n, and replaces tabs
 * by blanks.
 */
export function plain(text: string): string {
  return plainText(text).replace(/\t/g, "    ");
}

/** The width of a text in terminal columns. */
export function columns(text: string): number {
  const bare = text.includes("\u001b") ? text.replace(STYLES, "") : text;
  return isNarrow(bare) ? bare.length : stringWidth(bare);
}

/** Cuts a text to `width` columns, with an ellipsis for the cut part. A style that starts in it also ends in it. */
export function fit(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let room = width - 1;
  let kept = "";
  for (const part of text.split(STYLE)) {
    if (part.startsWith("\u001b")) kept += part;
    else if (room >= 0) {
      const { head, left } = headOf(part, room);
      kept += left < 0 ? `${head}…` : head;
      room = left;
    }
  }
  return kept;
}

/** The leading characters that fit, and the remaining columns; below zero if one did not fit. */
function headOf(text: string, room: number): { head: string; left: number } {
  let left = room;
  let head = "";
  for (const segment of characters(text)) {
    left -= columns(segment);
    if (left < 0) break;
    head += segment;
  }
  return { head, left };
}

/**
 * The lines that contain a text, ignoring case; two lines if a fold splits it.
 * @param wanted in lower case
 */
export function matchingLines(lines: readonly string[], wanted: string): string[] {
  const found = findMatches(lines.map(searchKey), wanted);
  return lines.filter((_, at) => found[at]);
}

/** The search key of a line. */
export function searchKey(line: string): string {
  return singleLine(line).toLowerCase();
}

/**
 * Marks the lines that contain a text.
 * @param texts results of `searchKey`, by far the largest cost of a search
 */
export function findMatches(texts: readonly string[], wanted: string): boolean[] {
  const alone = texts.map((text) => text.includes(wanted));
  const found = [...alone];
  for (let at = 1; at < texts.length; at += 1)
    if (!alone[at - 1] && !alone[at] && `${texts[at - 1]} ${texts[at]}`.includes(wanted))
      found.fill(true, at - 1, at + 1);
  return found;
}

/** Folds a text at blanks into lines of at most `width` columns; a longer word is broken. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

/** A text folded beside its label, which may be styled: further lines begin below its first word. */
export function hanging(label: string, text: string, width: number): string[] {
  const indent = columns(label);
  return wrap(text, width - indent).map((line, index) => (index === 0 ? label : " ".repeat(indent)) + line);
}

function wrapLine(line: string, width: number): string[] {
  if (columns(line) <= width) return [line];
  const indent = /^\s*/.exec(line)?.[0].slice(0, Math.floor(width / 2)) ?? "";
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const word of line.trim().split(/ +/)) {
    for (const piece of breakWord(word, width - indent.length)) {
      const wide = columns(piece);
      if (current !== "" && used + 1 + wide > width) {
        lines.push(current);
        current = "";
      }
      used = current === "" ? indent.length + wide : used + 1 + wide;
      current = current === "" ? indent + piece : `${current} ${piece}`;
    }
  }
  return current === "" ? lines : [...lines, current];
}

function breakWord(styled: string, width: number): string[] {
  if (columns(styled) <= width) return [styled];
  const word = styled.replace(STYLES, "");
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const segment of characters(word)) {
    const wide = columns(segment);
    if (piece !== "" && used + wide > width) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += segment;
    used += wide;
  }
  return [...pieces, piece];
}

/** The visible characters of a text. The first use of Intl costs several ms, so plain text needs none. */
function* characters(text: string): Generator<string> {
  if (isNarrow(text)) yield* text;
  else
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) yield segment;
}

/** Whether every code unit is a character of one column. */
function isNarrow(text: string): boolean {
  return NARROW.test(text);
}
