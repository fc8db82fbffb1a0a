import { plainTitle } from "./inline.ts";

/** Whether a line is the row of dashes below a table's head. */
export function isSeparator(line: string): boolean {
  return line.includes("|") && line.includes("-") && line.replace(/[\s|:-]/g, "") === "";
}

/** Whether a line is a table row. A row without outer bars counts only as a table's head, or inside a table. */
export function looksLikeRow(line: string, below: string, inTable: boolean): boolean {
  if (/^\s*\|.*\|\s*$/.test(line) || (isSeparator(line) && inTable)) return true;
  return line.includes("|") && (inTable || isSeparator(below)) && !/^\s*(?:[-*+]\s|#)/.test(line);
}

/** The cells of a row as plain text. Inside code a bar separates cells unless it is escaped, as in GitHub's tables. */
export function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainTitle(cell.replaceAll("\\|", "|")));
}
