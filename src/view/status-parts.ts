import type { Style } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

/** A part of a status line. A lower rank is more important; a part with `least` may be cut to that many columns. */
export type Part = { rank: number; text: string; paint: (text: string) => string; least?: number };

const SEPARATOR = " · ";

/** One line of at most `width` columns: the parts in order, without the least important ones if not all fit. */
export function statusParts(parts: readonly Part[], width: number, style: Style): string {
  const kept: Part[] = [];
  for (const part of parts.filter(({ text }) => text !== "").toSorted((a, b) => a.rank - b.rank))
    if (kept.length === 0 || columnsOf([...kept, part], leastOf) <= width) kept.push(part);
  const over = columnsOf(kept, fullOf) - width;
  return parts
    .filter((part) => kept.includes(part))
    .map((part) => {
      const cut = over > 0 && (part.least !== undefined || kept.length === 1);
      return part.paint(cut ? fit(part.text, columns(part.text) - over) : part.text);
    })
    .join(style.dim(SEPARATOR));
}

function fullOf({ text }: Part): number {
  return columns(text);
}

function leastOf(part: Part): number {
  return Math.min(part.least ?? Number.POSITIVE_INFINITY, fullOf(part));
}

function columnsOf(parts: readonly Part[], of: (part: Part) => number): number {
  return parts.reduce((sum, part) => sum + of(part), (parts.length - 1) * SEPARATOR.length);
}
