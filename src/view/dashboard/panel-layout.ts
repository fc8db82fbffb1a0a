import { columns, fit } from "../text/text.ts";

/** A line padded or cut to exactly `width` columns. */
export function cell(line: string, width: number): string {
  const shown = fit(line, width);
  return shown + " ".repeat(Math.max(0, width - columns(shown)));
}

/** Two texts at the ends of a line; the right one is left out if both do not fit. */
export function spread(left: string, right: string, width: number): string {
  const gap = width - columns(left) - columns(right);
  return gap < 2 || right === "" ? fit(left, width) : left + " ".repeat(gap) + right;
}

/** Blocks of lines side by side, `height` lines high. */
export function beside(
  blocks: readonly { lines: readonly string[]; width: number }[],
  between: string,
  height: number,
): string[] {
  return Array.from({ length: height }, (_, row) =>
    blocks
      .map(({ lines, width }, index) => {
        const line = lines[row] ?? "";
        return index === blocks.length - 1 ? fit(line, width) : cell(line, width);
      })
      .join(between)
      .trimEnd(),
  );
}

/** A block of a column; if two do not fit, the one with the higher `rank` is dropped. */
export type Panel = { rank: number; lines: string[] };

/** Panels below each other with an empty line between, as many as fit into `height`. */
export function stack(panels: readonly Panel[], height: number): string[] {
  return fitting(panels, height).flatMap(({ lines }, index) => (index === 0 ? lines : ["", ...lines]));
}

/** The panels that fit below each other. */
export function fitting(panels: readonly Panel[], height: number): Panel[] {
  const kept = new Set<Panel>();
  let used = -1;
  for (const panel of panels.filter(({ lines }) => lines.length > 0).toSorted((a, b) => a.rank - b.rank)) {
    if (used + 1 + panel.lines.length > height) continue;
    used += 1 + panel.lines.length;
    kept.add(panel);
  }
  return panels.filter((panel) => kept.has(panel));
}

/** The lines of panels, with an empty one above each. */
export function stackedHeight(panels: readonly Panel[]): number {
  return panels.reduce((sum, { lines }) => sum + (lines.length === 0 ? 0 : lines.length + 1), 0);
}
