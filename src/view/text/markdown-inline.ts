import type { Style } from "./style.ts";

export type InlineStyle = Pick<Style, "bold" | "cyan" | "dim">;

/**
 * Code between equal runs of backticks, bold, and links. Asterisks beside a slash or a word belong to a glob such as
 * `src/**`, not to bold. All lengths are bounded: a line full of opening marks is not read to its end for each.
 */
const INLINE =
  /(?<!`)(`+)(?!`) ?(.{1,999}?) ?(?<!`)\1(?!`)|(?<![\w/*])\*\*(?=[^\s*/])(.{1,999}?)(?<=[^\s/])\*\*(?![\w/*])|(?<!!)\[([^\]]{1,999})\]\(([^\s)]{1,999})\)/g;

/**
 * Styles a line's code, bold words and links. Each word is styled on its own, which allows folding the line afterwards.
 */
export function inline(line: string, style: InlineStyle): string {
  return line.replace(INLINE, (_, _ticks, code?: string, strong?: string, link?: string, target?: string) => {
    if (code !== undefined) return words(code, style.cyan);
    if (strong !== undefined) return words(inlineText(strong), style.bold);
    return linkWords(link ?? "", target ?? "", style);
  });
}

/** The line without markup and style. */
export function inlineText(line: string): string {
  return line.replace(INLINE, (_, _ticks, code?: string, strong?: string, link?: string) =>
    strong === undefined ? (code ?? link ?? "") : inlineText(strong),
  );
}

/** A link's words with its address behind them, unless they are equal. */
function linkWords(text: string, target: string, style: InlineStyle): string {
  const shown = inlineText(text);
  return shown === target ? words(shown, style.cyan) : `${shown} ${words(`(${target})`, style.dim)}`;
}

function words(text: string, paint: (text: string) => string): string {
  return text.replace(/[^ ]+/g, paint);
}
