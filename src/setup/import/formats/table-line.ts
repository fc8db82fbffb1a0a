import { plainTitle } from "./inline.ts";

/** The line of dashes below the head of a table. */
export function isSeparator(line: string): boolean {
  return line.includes("|") && line.includes("-") && line.replace(/[\s|:-]/g, "") === "";
}

/** A row stands between bars; without them only as the head of a table, or in one. */
export function looksLikeRow(line: string, below: string, inTable: boolean): boolean {
  if (/^\s*\|.*\|\s*$/.test(line) || (isSeparator(line) && inTable)) return true;
  return line.includes("|") && (inTable || isSeparator(below)) && !/^\s*(?:[-*+]\s|#)/.test(line);
}

/** The cells of a row as plain words. A bar within code is a bar only where it is escaped, as in GitHub's tables. */
export function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainTitle(cell.replaceAll("\\|", "|")));
}
