import { inline, inlineText } from "./markdown-inline.ts";
import { isTableRule, tableLines } from "./markdown-table.ts";
import type { Style } from "./style.ts";
import { columns, wrap } from "./text.ts";

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,3}[.)])) (\[[ xX]\] )?(?=\S)/;
const QUOTE = /^\s{0,3}>\s?/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const RULE_COLUMNS = 24;

/**
 * An agent's text folded to `width` columns, with the little of Markdown that helps the eye: without colours nothing but
 * the folds of list items, which stand below their text.
 */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const source = text.split("\n");
  const plainText = style.bold("x") === "x";
  const gutter = style.dim("│ ");
  const lines: string[] = [];
  let fence: string | null = null;
  for (let at = 0; at < source.length; at += 1) {
    const line = source[at] ?? "";
    const mark = FENCE.exec(line)?.[1] ?? null;
    const isEdge = fence === null ? mark !== null : closes(line, fence);
    if (isEdge) fence = fence === null ? mark : null;
    if (isEdge && !plainText) continue;
    if (fence !== null || isEdge) lines.push(...(plainText ? wrap(line, width) : setOff(line, width, gutter)));
    else if (plainText) lines.push(...itemLines(line, width, (words) => words, keptMark));
    else if (line.includes("|") && isTableRule(source[at + 1] ?? "")) {
      const rows = source.slice(at).findIndex((row) => !row.includes("|"));
      const table = rows === -1 ? source.slice(at) : source.slice(at, at + rows);
      lines.push(...tableLines(table, width, style));
      at += table.length - 1;
    } else lines.push(...proseLines(line, width, gutter, style));
  }
  return lines;
}

/** A fence is closed by one of its own kind that is at least as long, and alone. */
function closes(line: string, fence: string): boolean {
  const words = line.trim();
  return words.length >= fence.length && words === (fence[0] ?? "").repeat(words.length);
}

function setOff(line: string, width: number, gutter: string): string[] {
  return wrap(line, width - 2).map((part) => gutter + part);
}

function proseLines(line: string, width: number, gutter: string, style: Style): string[] {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return wrap(inlineText(heading), width).map(style.bold);
  if (RULE.test(line)) return [style.dim("─".repeat(Math.min(width, RULE_COLUMNS)))];
  const quoted = QUOTE.exec(line)?.[0];
  if (quoted !== undefined) return setOff(inline(line.slice(quoted.length), style), width, gutter);
  return itemLines(line, width, (words) => inline(words, style), drawnMark);
}

type Item = { blanks: string; bullet: string | undefined; number: string | undefined; box: string | undefined };

function keptMark({ blanks, bullet = "", number = "", box = "" }: Item): string {
  return `${blanks}${bullet}${number} ${box}`;
}

/** A box says itself that it is an item. */
function drawnMark({ blanks, bullet, number = "", box = "" }: Item): string {
  return `${blanks}${bullet === undefined ? `${number} ` : box === "" ? "• " : ""}${box}`;
}

function itemLines(
  line: string,
  width: number,
  paint: (words: string) => string,
  markOf: (item: Item) => string,
): string[] {
  const [all, blanks = "", bullet, number, box] = ITEM.exec(line) ?? [];
  if (all === undefined) return wrap(paint(line), width);
  const mark = markOf({ blanks, bullet, number, box });
  const indent = columns(mark);
  if (indent > width / 2) return wrap(mark + paint(line.slice(all.length)), width);
  return wrap(paint(line.slice(all.length)), width - indent).map((part, index) =>
    index === 0 ? mark + part : " ".repeat(indent) + part,
  );
}
