import {
  closesFence,
  type Fence,
  type ListItem,
  parseBox,
  parseFence,
  parseHeading,
  parseListItem,
} from "../../core/text/markdown-blocks.ts";
import { inline, inlineText } from "./markdown-inline.ts";
import { tableLength, tableLines } from "./markdown-table.ts";
import type { Style } from "./style.ts";
import { columns, hanging, wrap } from "./text.ts";

const QUOTE = /^\s{0,3}>\s?/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const RULE_COLUMNS = 24;

/**
 * Folds an agent's text to `width` columns, and styles the Markdown that helps a reader. Without colours it only folds;
 * list items align below their text.
 */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const source = text.split("\n");
  const plainText = style.bold("x") === "x";
  const gutter = style.dim("│ ");
  const lines: string[] = [];
  let fence: Fence | null = null;
  for (let at = 0; at < source.length; at += 1) {
    const line = source[at] ?? "";
    const opening: Fence | null = fence === null ? parseFence(line) : null;
    const isEdge = fence === null ? opening !== null : closesFence(line, fence);
    if (isEdge) fence = opening;
    if (isEdge && !plainText) continue;
    if (fence !== null || isEdge) lines.push(...(plainText ? wrap(line, width) : setOff(line, width, gutter)));
    else if (plainText) lines.push(...itemLines(line, width, (words) => words, keptMark));
    else if (tableLength(source, at) > 0) {
      const length = tableLength(source, at);
      lines.push(...tableLines(source.slice(at, at + length), width, style));
      at += length - 1;
    } else lines.push(...proseLines(line, width, gutter, style));
  }
  return lines;
}

function setOff(line: string, width: number, gutter: string): string[] {
  return wrap(line, width - 2).map((part) => gutter + part);
}

function proseLines(line: string, width: number, gutter: string, style: Style): string[] {
  const title = parseHeading(line)?.title ?? "";
  if (title !== "") return wrap(inlineText(title), width).map(style.bold);
  if (RULE.test(line)) return [style.dim("─".repeat(Math.min(width, RULE_COLUMNS)))];
  const quoted = QUOTE.exec(line)?.[0];
  if (quoted !== undefined) return setOff(inline(line.slice(quoted.length), style), width, gutter);
  return itemLines(line, width, (words) => inline(words, style), drawnMark);
}

/** The mark of a list item, and the box at its start. */
type ItemMark = Pick<ListItem, "indent" | "marker" | "isNumbered" | "gap"> & { box: string };

function keptMark({ indent, marker, gap, box }: ItemMark): string {
  return `${indent}${marker}${gap}${box}`;
}

/** A box already marks a list item. */
function drawnMark({ indent, marker, isNumbered, box }: ItemMark): string {
  return `${indent}${isNumbered ? `${marker} ` : box === "" ? "• " : ""}${box}`;
}

function itemLines(
  line: string,
  width: number,
  paint: (words: string) => string,
  markOf: (item: ItemMark) => string,
): string[] {
  const item = parseListItem(line);
  if (item === null) return wrap(paint(line), width);
  const box = parseBox(line);
  const mark = markOf({ ...item, box: box === null ? "" : `[${box.mark}${box.after}` });
  const words = paint(box?.text ?? item.text);
  if (columns(mark) > width / 2) return wrap(mark + words, width);
  return hanging(mark, words, width);
}
