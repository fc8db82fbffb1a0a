/** The boxes of a Markdown list as tasks: a box with smaller ones below it is one. */
import { type BoxLine, type HeadingLine, parseBox, parseHeading } from "../text/markdown-blocks.ts";
import { visibleLines } from "../text/markdown-lines.ts";
import { type TextEdit, withEdits } from "../text/text-edits.ts";

export type MarkdownTask = {
  text: string;
  /** From 1. */
  line: number;
  /** Its box and those below it are ticked. */
  done: boolean;
  /** The headings above, the outermost first. */
  headings: readonly HeadingLine[];
  /** The lines below its box, smaller boxes too, without their common indent. */
  details: string[];
  /** Ticks its box and those below it. */
  edits: TextEdit[];
};

type Line = { text: string; at: number };

/** @param mark what the list's own tool writes between the brackets */
export function markdownTasks(text: string, mark: "x" | "X"): MarkdownTask[] {
  const lines = linesOf(text);
  const tasks: MarkdownTask[] = [];
  let headings: HeadingLine[] = [];
  /** The first line behind the task's own. */
  let end = 0;
  for (const { number, text: shown } of visibleLines(text)) {
    const heading = parseHeading(shown);
    if (heading !== null) headings = [...headings.filter(({ level }) => level < heading.level), heading];
    const box = parseBox(shown);
    const line = lines[number - 1];
    if (box === null || line === undefined) continue;
    const edits = box.isDone ? [] : tickEdit(line, box, mark);
    const last = tasks.at(-1);
    if (number - 1 < end && last !== undefined) {
      last.done &&= box.isDone;
      last.edits.push(...edits);
      continue;
    }
    end = endOfItem(lines, number);
    tasks.push({
      text: box.text.trim(),
      line: number,
      done: box.isDone,
      headings,
      details: dedented(lines.slice(number, end).map((below) => below.text)),
      edits,
    });
  }
  return tasks;
}

/** The text with the open box of a line ticked, all else as it was; null if it has none. @param at the line, from 1 */
export function withBoxTicked(text: string, at: number): string | null {
  const line = linesOf(text)[at - 1];
  const box = parseBox(visibleLines(text).find(({ number }) => number === at)?.text ?? "");
  return line === undefined || box === null || box.isDone ? null : withEdits(text, tickEdit(line, box, "x"));
}

/** Lines with their offsets, counted as `visibleLines` counts them. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (const [whole, words = ""] of text.slice(at).matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    lines.push({ text: words, at });
    at += whole.length;
  }
  return lines;
}

/** @param box as the line without its comments has it */
function tickEdit({ text, at }: Line, box: BoxLine, mark: string): TextEdit[] {
  // The brackets of a comment before the box are none.
  const shown = text.replace(/(?:^|<!--).*?-->/gs, (comment) => "-".repeat(comment.length));
  const before = text.startsWith(box.before) ? box.before.length : shown.search(/\[[ \t\u00a0]?\]/) + 1;
  return [{ at: at + before, length: box.mark.length, text: mark }];
}

/** The first line behind an item: one with words that is not indented further than the item. @param from the line below it */
function endOfItem(lines: readonly Line[], from: number): number {
  const own = indentOf(lines[from - 1]?.text ?? "");
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const { text = "" } = lines[at] ?? {};
    if (text.trim() === "") continue;
    if (indentOf(text) <= own) break;
    end = at + 1;
  }
  return end;
}

function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const common = Math.min(...indents);
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(common)));
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}
