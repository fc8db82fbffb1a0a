import { columns, wrap } from "../../view/text/text.ts";

/** Wraps a text to stand below a label. */
export function indented(text: string, width: number): string[] {
  return wrap(text, width - 6).map((line) => `      ${line}`);
}

/** Below this many columns a text reads better below its label than beside it. */
const READABLE = 20;

/**
 * Rows of two columns: the first padded to `left`, the second wrapped beside it. A label that is too long gets a line
 * of its own.
 */
export function twoColumns(rows: readonly (readonly [string, string])[], left: number, width: number): string[] {
  if (width - left < READABLE) return rows.flatMap(([label, text]) => [`  ${label.trim()}`, ...indented(text, width)]);
  return rows.flatMap(([label, text]) => {
    const lines = wrap(text, width - left).map((line) => " ".repeat(left) + line);
    const room = left - columns(label);
    if (room < 2) return [label, ...lines];
    return lines
      .map((line, index) => (index === 0 ? label + " ".repeat(room) + line.slice(left) : line))
      .map((line) => line.trimEnd());
  });
}
