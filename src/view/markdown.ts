import type { Style } from "./style.ts";
import { wrap } from "./text.ts";

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)[-*+] (?=\S)/;
const INLINE = /(`+)([^`]+)\1|\*\*(\S(?:.*?\S)?)\*\*/g;

/** An agent's text folded to `width` columns, with the little of Markdown that helps the eye; none of it without colours. */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const plainText = style.bold("x") === "x";
  let fenced = false;
  return text.split("\n").flatMap((line) => {
    if (plainText) return wrap(line, width);
    if (FENCE.test(line)) {
      fenced = !fenced;
      return [];
    }
    if (fenced) return wrap(line, width - 2).map((part) => style.dim(`  ${part}`));
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) return wrap(heading, width).map(style.bold);
    return wrap(line.replace(BULLET, "$1• "), width).map((part) => inline(part, style));
  });
}

function inline(line: string, style: Style): string {
  return line.replace(INLINE, (_, ticks: string | undefined, code: string | undefined, strong: string | undefined) =>
    ticks === undefined ? style.bold(strong ?? "") : style.cyan(code ?? ""),
  );
}
