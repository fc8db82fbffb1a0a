import type { ScrollPosition } from "../scroll-position.ts";

/** The matches of a search, or the agent's edits where nothing is searched: places to go to from one to the next. */
export type Found = {
  places: readonly ScrollPosition[];
  /** All lines, of which a filter may show only some. */
  total: number;
};

/** What fills a part of the screen. */
export type Pane = {
  lines: string[];
  /** Lines or rows of its content in all, and on one screen. */
  total: number;
  page: number;
  /** The lines above its content, and the first row of the content on the screen: a click names a row by them. */
  head: number;
  first: number;
  /** The scroll position of an output; left out by panes without one. */
  reading?: ScrollPosition | null;
  /** The places of an output's lines on the screen. */
  places?: readonly ScrollPosition[];
  found?: Found;
  /** Whether the selected line is an edit of the agent. */
  onEdit?: boolean;
  /** The lines that are copied: the selected one, else those on the screen. */
  copied: readonly string[];
};

/** Fills a pane to its height. */
export function padded<T extends { lines: string[] }>(pane: T, height: number): T {
  const missing = Math.max(0, height - pane.lines.length);
  return { ...pane, lines: [...pane.lines.slice(0, height), ...Array.from({ length: missing }, () => "")] };
}

/**
 * A list to choose from, scrolled so that the selected row is on the screen.
 * @param at the place of the selected row; -1 for none
 */
export function chosenPane<T>(
  head: string,
  rows: readonly T[],
  at: number,
  height: number,
  line: (row: T, isSelected: boolean) => string,
): Pane {
  const page = Math.max(1, height - 1);
  const near = Math.max(0, at);
  const first = Math.max(0, Math.min(near - Math.floor(page / 2), rows.length - page));
  const lines = rows.slice(first, first + page).map((row, index) => line(row, first + index === at));
  const copied = lines.slice(near - first, near - first + 1);
  return padded({ lines: [head, ...lines], total: rows.length, page, head: 1, first, copied }, height);
}

/** A pane of lines from its top, scrolled by the user. */
export function topPane(head: string, lines: readonly string[], top: number, height: number): Pane {
  const page = Math.max(1, height - 2);
  const from = Math.max(0, Math.min(top, lines.length - page));
  const shown = lines.slice(from, from + page);
  return padded(
    { lines: [head, "", ...shown], total: lines.length, page, head: 2, first: from, copied: lines },
    height,
  );
}
