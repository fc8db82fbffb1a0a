import { parseBox } from "../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../core/text/markdown-lines.ts";
import { headingsOf } from "./headings.ts";
import { comparableTitle, idOfBox, issueOfGroup, titleOfBox } from "./task.ts";

export type Box = {
  /** Counts from 0. */
  line: number;
  id: string | null;
  /** The title in the form of `comparableTitle`. */
  title: string;
  done: boolean;
  /** The heading that groups it, in the form of `comparableTitle`. */
  group: string | null;
  /** The issue in the heading above, if the box is a part of it. */
  partOf: string | null;
  /** The file with its details. */
  spec: string | null;
};

/** The line below a box that names the place in the specs. */
const SPEC = /^\s+(?:>\s*)?Spec: (\S[^#\n]*)/;

/** The boxes of a plan, except those in examples. */
export function readBoxes(plan: string, lines: readonly string[]): Box[] {
  const headings = headingsOf(lines);
  let next = 0;
  let group: string | null = null;
  let partOf: string | null = null;
  return visibleLines(plan).flatMap(({ number, text }) => {
    for (; next < headings.length && (headings[next]?.line ?? 0) < number; next += 1) {
      const heading = headings[next];
      group = heading !== undefined && heading.level > 2 ? comparableTitle(heading.title) : null;
      partOf = issueOfGroup(heading?.title ?? "");
    }
    const box = parseBox(text);
    if (box === null) return [];
    const line = number - 1;
    const spec = specLineOf(lines, line);
    return [
      {
        line,
        id: idOfBox(box.text),
        title: comparableTitle(titleOfBox(box.text)),
        done: box.isDone,
        group,
        partOf,
        spec: spec === null ? null : readSpecPath([lines[spec] ?? ""]),
      },
    ];
  });
}

/** The index of the line below a box that names its place in the specs. */
export function specLineOf(lines: readonly string[], box: number): number | null {
  for (let at = box + 1; /^\s+\S/.test(lines[at] ?? "") && parseBox(lines[at] ?? "") === null; at += 1)
    if (SPEC.test(lines[at] ?? "")) return at;
  return null;
}

/** The spec file that details, or the lines below a box, name as their place; without the heading in it. */
export function readSpecPath(lines: readonly string[]): string | null {
  for (const line of lines) {
    const file = SPEC.exec(` ${line}`)?.[1]?.trim();
    if (file !== undefined) return file;
  }
  return null;
}
