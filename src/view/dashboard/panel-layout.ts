import { columns, fit } from "../text/text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the styles of style.ts
const STYLES = /(\u001b\[\d+m)/;

/** A line made exactly `width` columns wide: filled with blanks, or cut. */
export function cell(line: string, width: number): string {
  const shown = clipLine(line, width);
  return shown + " ".repeat(Math.max(0, width - columns(shown)));
}

/** A line at most `width` columns wide; one that is cut keeps its styles, and ends them. */
export function clipLine(line: string, width: number): string {
  if (width <= 0) return "";
  if (columns(line) <= width) return line;
  let room = width;
  let isCut = false;
  const parts = line.split(STYLES).map((part, index) => {
    if (index % 2 === 1) return part;
    if (isCut) return "";
    const wide = columns(part);
    // What fits to the last column is cut as well if more comes after it.
    isCut = wide >= room;
    room -= wide;
    return isCut ? fit(`${part}  `, room + wide) : part;
  });
  return parts.join("");
}

/** Two texts at the ends of a line; where they don't fit both, the right one is left out. */
export function spread(left: string, right: string, width: number): string {
  const gap = width - columns(left) - columns(right);
  return gap < 2 || right === "" ? clipLine(left, width) : left + " ".repeat(gap) + right;
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
        return index === blocks.length - 1 ? clipLine(line, width) : cell(line, width);
      })
      .join(between)
      .trimEnd(),
  );
}

/** A block of a column; of two that don't fit, the one that matters less (a higher `rank`) goes. */
export type Panel = { rank: number; lines: string[] };

/** Panels below each other with an empty line between, as many as fit into `height`. */
export function stack(panels: readonly Panel[], height: number): string[] {
  const kept = new Set<Panel>();
  let used = -1;
  for (const panel of panels.filter(({ lines }) => lines.length > 0).toSorted((a, b) => a.rank - b.rank)) {
    if (used + 1 + panel.lines.length > height) continue;
    used += 1 + panel.lines.length;
    kept.add(panel);
  }
  return panels
    .filter((panel) => kept.has(panel))
    .flatMap(({ lines }, index) => (index === 0 ? lines : ["", ...lines]));
}
