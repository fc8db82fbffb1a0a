import { closesFence, type Fence, parseFence, parseListItem } from "../text/markdown-blocks.ts";

const INLINE_CODE = /`[^`\n]{0,500}`/g;
const QUOTED =
  /"[^"\n]{0,300}"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|‘[^’\n]{0,300}’|(?<=^|[\s(])'[^'\n]{1,300}'(?![A-Za-z])/g;
/** Longer lines are data, not sentences: the rest of them is ignored. */
const LONGEST_LINE = 2000;

/**
 * Keeps the agent's own words: blanks the lines of code fences and of `> ` quotes, and removes inline code and quoted
 * words. The result has as many lines as `lines`.
 */
export function extractProse(lines: readonly string[]): string[] {
  let fence: Fence | null = null;
  return lines.map((line) => {
    if (fence !== null) {
      if (closesFence(line, fence)) fence = null;
      return "";
    }
    fence = parseFence(parseListItem(line)?.text ?? line);
    if (fence !== null) return "";
    if (line.trimStart().startsWith(">")) return "";
    return line.slice(0, LONGEST_LINE).replace(INLINE_CODE, " ").replace(QUOTED, " ");
  });
}

/** The sentences of a line, each with its closing mark; none for a blank line. */
export function splitSentences(line: string): string[] {
  return line.trim() === "" ? [] : line.split(/(?<=[.!?])\s+/);
}
