import type { Style } from "./style.ts";

export type InlineStyle = Pick<Style, "bold" | "cyan" | "dim">;

/**
 * Code between as many backticks on both sides, bold, and a link. What begins or ends beside a slash or a word is a glob
 * (`src/**` + `/*.ts`), not bold. All are bounded, so that a line full of beginnings is not read to its end for each.
 */
const INLINE =
  /(?<!`)(`+)(?!`) ?(.{1,999}?) ?(?<!`)\1(?!`)|(?<![\w/*])\*\*(?=[^\s*/])(.{1,999}?)(?<=[^\s/])\*\*(?![\w/*])|(?<!!)\[([^\]]{1,999})\]\(([^\s)]{1,999})\)/g;

/** A line's code, bold words and links; each word is painted for itself, so that the line may be folded afterwards. */
export function inline(line: string, style: InlineStyle): string {
  return line.replace(INLINE, (_, _ticks, code?: string, strong?: string, link?: string, target?: string) => {
    if (code !== undefined) return words(code, style.cyan);
    if (strong !== undefined) return words(inlineText(strong), style.bold);
    return linkWords(link ?? "", target ?? "", style);
  });
}

/** The same without any paint. */
export function inlineText(line: string): string {
  return line.replace(INLINE, (_, _ticks, code?: string, strong?: string, link?: string) =>
    strong === undefined ? (code ?? link ?? "") : inlineText(strong),
  );
}

/** The address stands behind the words, unless they are its own. */
function linkWords(text: string, target: string, style: InlineStyle): string {
  const shown = inlineText(text);
  return shown === target ? words(shown, style.cyan) : `${shown} ${words(`(${target})`, style.dim)}`;
}

function words(text: string, paint: (text: string) => string): string {
  return text.replace(/[^ ]+/g, paint);
}
