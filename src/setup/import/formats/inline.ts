import { withoutEntities } from "./entities.ts";

/** Longer than any title or criterion on screen; the specs have the full text. */
const MAX_CHARS = 4000;

/** A run of backticks, what stands between, and the same run again. */
const CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;
/** Encloses the number of a piece of code, in its place; no text has it otherwise. */
const MARK = "\u0000";

/** The words of a text without markup; code stays unchanged. */
export function plainTitle(text: string): string {
  const codes: string[] = [];
  const rest = text
    .slice(0, MAX_CHARS)
    .replaceAll(MARK, " ")
    .replace(CODE, (_, __: string, code: string) => `${MARK}${codes.push(code) - 1}${MARK}`)
    // A quotation's `>` is not "more than".
    .replace(/^\s*(?:>\s*)+(?=[^\s\d=])/, "")
    .replace(/<br\s*\/?>/gi, " ")
    .replace(/<\/?(?:a|b|i|u|em|strong|span|p|div|sub|sup|font|mark|del|s)(?:\s[^<>]*)?>/gi, "")
    .replace(/!?\[([^\][]*)\]\((?:[^()]|\([^()]{0,500}\)){0,500}\)/g, "$1")
    .replace(/\s*\{#[\w-]+\}\s*$/, "");
  return withoutEmphasis(rest)
    .split(MARK)
    .map((part, index) => (index % 2 === 1 ? (codes[Number(part)] ?? "") : part))
    .join("")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\s*[:：]$/, "");
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
