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

/**
 * The columns of a tracker's export that was pasted as text, with keys and summaries between commas; null for any other
 * line. Tables of example data have neither keys nor summaries.
 * @param below the next line, which must begin with a key (`SHOP-12`)
 */
export function csvHeader(line: string, below: string): string[] | null {
  const header = csvCells(line);
  const key = header.findIndex((cell) => /^(?:issue |story )?(?:key|id)$/i.test(cell));
  if (key === -1 || !header.some((cell) => /^(?:summary|title)$/i.test(cell))) return null;
  const cells = csvCells(below);
  return cells.length === header.length && /^[A-Z][A-Z0-9]*-\d+$/.test(cells[key] ?? "") ? header : null;
}

/** The cells of a line, without their quotes. */
export function csvCells(line: string): string[] {
  return [...line.trim().matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim(),
  );
}
