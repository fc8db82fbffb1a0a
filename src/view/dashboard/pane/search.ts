import { STYLE, type Style } from "../../text/style.ts";
import { findMatches } from "../../text/text.ts";
import type { OutputLine } from "../output-lines.ts";

/** Which lines contain the words, ignoring case; two lines if a fold splits them. */
export function matchesOf(lines: readonly OutputLine[], words: string): boolean[] {
  return findMatches(
    lines.map((line) => line.searched),
    words.toLowerCase(),
  );
}

/** The lines with a match, each below the heading of its iteration. */
export function onlyMatching(lines: readonly OutputLine[], matches: readonly boolean[]): OutputLine[] {
  const shown: OutputLine[] = [];
  let heading: OutputLine | null = null;
  for (const [index, line] of lines.entries()) {
    if (line.isHeading) heading = line;
    if (matches[index] !== true) continue;
    if (heading !== null && heading !== line) shown.push(heading);
    heading = null;
    shown.push(line);
  }
  return shown;
}

/** Marks the words in a styled line. Text whose length changes in lower case stays as it is. */
export function markWords(text: string, words: string, style: Style): string {
  const wanted = words.toLowerCase();
  const parts = text.split(STYLE);
  const bare = parts.filter((part) => !part.startsWith("\u001b")).join("");
  const searched = bare.toLowerCase();
  if (wanted === "" || searched.length !== bare.length || !searched.includes(wanted)) return text;
  const isMarked = new Array<boolean>(bare.length).fill(false);
  for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + wanted.length))
    isMarked.fill(true, at, at + wanted.length);
  let begin = 0;
  return parts
    .map((part) => {
      if (part.startsWith("\u001b")) return part;
      const from = begin;
      begin += part.length;
      return markPart(part, isMarked.slice(from, begin), style);
    })
    .join("");
}

function markPart(part: string, isMarked: readonly boolean[], style: Style): string {
  let marked = "";
  for (let from = 0; from < part.length; ) {
    let to = from;
    while (to < part.length && isMarked[to] === isMarked[from]) to += 1;
    const piece = part.slice(from, to);
    marked += isMarked[from] === true ? style.inverse(piece) : piece;
    from = to;
  }
  return marked;
}
