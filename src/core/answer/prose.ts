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

/** The sentences of a line as `splitSentences` finds them in its prose, with the code and the quotes that prose lacks. */
export function writtenSentences(line: string): string[] {
  const { text, origins } = [INLINE_CODE, QUOTED].reduce(cutOut, {
    text: line.slice(0, LONGEST_LINE),
    origins: Array.from({ length: LONGEST_LINE + 1 }, (_, at) => at),
  });
  let end = 0;
  return splitSentences(text).map((sentence) => {
    const start = end;
    end = text.indexOf(sentence, start) + sentence.length;
    return line.slice(origins[start], origins[end]).trim();
  });
}

/** What is left of a line, and where each character of it, and its end, stands in that line. */
type Kept = { text: string; origins: readonly number[] };

function cutOut({ text, origins }: Kept, pattern: RegExp): Kept {
  const kept: number[] = [];
  let from = 0;
  for (const { index, 0: removed } of text.matchAll(pattern)) {
    // The blank in its place stands where it began.
    kept.push(...origins.slice(from, index + 1));
    from = index + removed.length;
  }
  return { text: text.replace(pattern, " "), origins: [...kept, ...origins.slice(from)] };
}
