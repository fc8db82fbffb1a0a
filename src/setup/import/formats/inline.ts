import { withoutEntities } from "./entities.ts";

/** Longer than any title or criterion on screen; the specs have the full text. */
const MAX_CHARS = 4000;

/** The words of a text without markup; code stays unchanged. */
export function plainTitle(text: string): string {
  return (
    text
      .slice(0, MAX_CHARS)
      // A quotation's `>` is not "more than".
      .replace(/^\s*(?:>\s*)+(?=[^\s\d=])/, "")
      .replace(/<br\s*\/?>/gi, " ")
      .replace(/<\/?(?:a|b|i|u|em|strong|span|p|div|sub|sup|font|mark|del|s)(?:\s[^<>]*)?>/gi, "")
      .replace(/!?\[([^\][]*)\]\([^)]{0,500}\)/g, "$1")
      .replace(/\s*\{#[\w-]+\}\s*$/, "")
      .split(/(`+[^`]+`+)/)
      .map((part, index) => (index % 2 === 1 ? part.replaceAll("`", "") : withoutEmphasis(part)))
      .join("")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/\s*[:：]$/, "")
  );
}

function withoutEmphasis(text: string): string {
  const plain = text
    .replace(/`|(?<!\\)\*\*|~~/g, "")
    .replace(/(?<![\\*\w])\*(?=\S)|(?<=[^\s\\])\*(?![*\w])/g, "")
    .replace(/(?<![\\\w])_+(?=\S)|(?<=[^\s\\])_+(?!\w)/g, "")
    .replace(/\\([-\\`*_{}[\]()#+.!|<>~])/g, "$1");
  return withoutEntities(plain);
}

/** Whether a whole text is struck through, and therefore withdrawn. */
export function isStruck(text: string): boolean {
  return /^~~[^~]+~~[.:]?$/.test(text.trim());
}
