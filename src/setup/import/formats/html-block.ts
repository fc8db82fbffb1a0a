import type { Item } from "../read/outline.ts";
import { withoutEntities } from "./entities.ts";
import { plainTitle } from "./inline.ts";

/** A longer block is read as text. */
const MAX_LINES = 1000;
const TAGS = { table: /<(\/?)table\b/gi, ul: /<(\/?)ul\b/gi, ol: /<(\/?)ol\b/gi } as const;

/**
 * The rows of an HTML table, or the items of an HTML list, in a Markdown document, as wikis export them.
 * @param from the line that may begin one
 * @returns null if none begins there; `end` is its last line, `items` null if it is never closed
 */
export function htmlBlock(lines: readonly string[], from: number): { items: Item[] | null; end: number } | null {
  const name = /^\s*<(table|ul|ol)\b/i.exec(lines[from] ?? "")?.[1]?.toLowerCase() as keyof typeof TAGS | undefined;
  if (name === undefined) return null;
  const last = Math.min(lines.length, from + MAX_LINES) - 1;
  let open = 0;
  for (let at = from; at <= last; at += 1) {
    for (const [, slash] of (lines[at] ?? "").matchAll(TAGS[name])) open += slash === "" ? 1 : -1;
    if (open > 0) continue;
    const html = lines.slice(from, at + 1).join("\n");
    return { items: name === "table" ? rowsOf(html) : bulletsOf(html), end: at };
  }
  return { items: null, end: last };
}

/** The first row names the columns. */
function rowsOf(html: string): Item[] {
  const rows = html.split(/<tr\b[^<>]*>/i).slice(1);
  const [header = [], ...cells] = rows.map((row) =>
    row
      .split(/<t[hd]\b[^<>]*>/i)
      .slice(1)
      .map(wordsOf),
  );
  return cells.map((row) => ({ kind: "row", cells: row, header }));
}

function bulletsOf(html: string): Item[] {
  const items: Extract<Item, { text: string }>[] = [];
  let depth = 0;
  for (const part of html.split(/(?=<\/?(?:ul|ol|li)\b)/i)) {
    const [, slash, name = ""] = /^<(\/?)(ul|ol|li)\b/i.exec(part) ?? [];
    const text = wordsOf(part);
    if (slash === "" && name.toLowerCase() === "li") {
      const box = /<input\b[^<>]*\bcheckbox\b[^<>]*>/i.exec(part)?.[0];
      const indent = 2 * Math.max(0, depth - 1);
      items.push(
        box === undefined
          ? { kind: "bullet", text, ordered: false, indent }
          : { kind: "box", text, done: /\bchecked\b/i.test(box), indent },
      );
    } else if (name !== "" && name.toLowerCase() !== "li") depth += slash === "" ? 1 : -1;
  }
  return items.filter(({ text }) => text !== "");
}

function wordsOf(html: string): string {
  return plainTitle(withoutEntities(html.replace(/<[^<>]*>/g, " ")));
}
