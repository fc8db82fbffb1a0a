import { inline, inlineText } from "./markdown-inline.ts";
import { type Style, style } from "./style.ts";
import { columns, wrap } from "./text.ts";

const GAP = "  ";
const LEAST_COLUMNS = 6;
const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Whether a line is the rule between a table's head and its rows. */
function isTableRule(line: string): boolean {
  return line.includes("|") && RULE.test(line);
}

/**
 * Formats a table with aligned columns. Folds the cells of a wide table, and leaves it unchanged if even that does not
 * fit.
 * @param source its lines: the head, the rule, the rows
 */
export function tableLines(source: readonly string[], width: number, style: Style): string[] {
  const rows = source.filter((_, index) => index !== 1).map(cellsOf);
  const widths = columnWidths(rows, width);
  if (widths === null) return source.flatMap((line) => wrap(line, width));
  const [head = [], ...body] = rows;
  const rule = widths.map((wide) => style.dim("─".repeat(wide))).join(GAP);
  const bold = (cell: string) => inlineText(cell).replace(/[^ ]+/g, style.bold);
  return [
    ...rowLines(head.map(bold), widths),
    rule,
    ...body.flatMap((row) =>
      rowLines(
        row.map((cell) => inline(cell, style)),
        widths,
      ),
    ),
  ];
}

/**
 * How many lines a table that begins at a line takes; 0 if none begins there.
 * @param lines of the text
 */
export function tableLength(lines: readonly string[], at: number): number {
  if (!(lines[at] ?? "").includes("|") || !isTableRule(lines[at + 1] ?? "")) return 0;
  const rows = lines.slice(at).findIndex((row) => !row.includes("|"));
  return rows === -1 ? lines.length - at : rows;
}

/** A bar in code, or after a backslash, is part of its cell. */
export function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inner.match(/(?:`[^`]*`|\\.|[^|])*(?:\||$)/g) ?? [];
  const kept = cells.at(-1) === "" ? cells.slice(0, -1) : cells;
  return kept.map((cell) => cell.replace(/\|$/, "").replaceAll("\\|", "|").trim());
}

const UNPAINTED = style(false);

function columnWidths(rows: readonly (readonly string[])[], width: number): number[] | null {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...rows.map((row) => columns(inline(row[index] ?? "", UNPAINTED)))),
  );
  const room = width - GAP.length * (count - 1);
  const sum = () => widths.reduce((total, wide) => total + wide, 0);
  while (sum() > room) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_COLUMNS) return null;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function rowLines(cells: readonly string[], widths: readonly number[]): string[] {
  const folded = widths.map((wide, index) => wrap(cells[index] ?? "", wide));
  const height = Math.max(...folded.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    folded
      .map((lines, index) => filled(lines[row] ?? "", widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function filled(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}
