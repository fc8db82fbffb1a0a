import { closesFence, type Fence, parseFence } from "./markdown-blocks.ts";

/** A line outside code fences, without the HTML comments in it; `number` counts from 1. */
export type VisibleLine = { number: number; text: string };

/**
 * The visible lines of a Markdown text, without code fences and HTML comments. An unclosed fence or comment hides
 * nothing, because a typo must not hide open boxes. Linear.
 */
export function visibleLines(text: string): VisibleLine[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const closers = closersBelow(lines);
  const lastCommentEnd = lines.findLastIndex((line) => line.includes("-->"));
  const visible: VisibleLine[] = [];
  let fence: Fence | null = null;
  let inComment = false;
  for (const [index, line] of lines.entries()) {
    if (fence !== null) {
      if (closesFence(line, fence)) fence = null;
      continue;
    }
    const opening = inComment ? null : parseFence(line);
    if (opening !== null && (closers[index]?.[opening.mark] ?? 0) >= opening.length) {
      fence = opening;
      continue;
    }
    const stripped = stripComments(line, inComment, index < lastCommentEnd);
    inComment = stripped.inComment;
    visible.push({ number: index + 1, text: stripped.text });
  }
  return visible;
}

/** For each line, the longest fence of either mark that a later line could close. */
function closersBelow(lines: readonly string[]): Record<string, number>[] {
  const below: Record<string, number>[] = [];
  let longest: Record<string, number> = {};
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    below[index] = longest;
    const fence = parseFence(lines[index] ?? "");
    if (fence?.info === "" && fence.length > (longest[fence.mark] ?? 0)) {
      longest = { ...longest, [fence.mark]: fence.length };
    }
  }
  return below;
}

/**
 * A line without its comments, and whether the last of them continues below.
 * @param endsBelow whether any later line ends a comment
 */
function stripComments(line: string, inComment: boolean, endsBelow: boolean): { text: string; inComment: boolean } {
  let rest = line;
  if (inComment) {
    const end = line.indexOf("-->");
    if (end < 0) return { text: "", inComment: true };
    rest = line.slice(end + 3);
  }
  let text = "";
  let at = 0;
  const lastRun = lastRunsOfBackticks(rest);
  const marks = /`+|<!--/g;
  for (let mark = marks.exec(rest); mark !== null; mark = marks.exec(rest)) {
    if (mark[0] !== "<!--") {
      marks.lastIndex = endOfCodeSpan(rest, mark.index, mark[0].length, lastRun);
      continue;
    }
    const end = rest.indexOf("-->", mark.index + 2);
    if (end < 0 && !endsBelow) break;
    text += rest.slice(at, mark.index);
    if (end < 0) return { text, inComment: true };
    at = end + 3;
    marks.lastIndex = at;
  }
  return { text: text + rest.slice(at), inComment: false };
}

/** The last position of each length of backtick run. */
function lastRunsOfBackticks(line: string): Map<number, number> {
  return new Map([...line.matchAll(/`+/g)].map((run) => [run[0].length, run.index]));
}

/** The index after the code span that opens at `start`; after its backticks alone if nothing closes it. */
function endOfCodeSpan(line: string, start: number, length: number, lastRun: ReadonlyMap<number, number>): number {
  const runs = /`+/g;
  runs.lastIndex = start + length;
  if ((lastRun.get(length) ?? -1) <= start) return runs.lastIndex;
  for (let run = runs.exec(line); run !== null; run = runs.exec(line)) {
    if (run[0].length === length) return runs.lastIndex;
  }
  return start + length;
}
