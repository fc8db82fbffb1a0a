import { anchorsOf, readOutline } from "./read/outline.ts";

/** A heading's lines with those below it, up to the next heading; `anchor` is empty for what comes before the first. */
type Part = { anchor: string; title: string; lines: string[] };

/**
 * A spec that its user edited, with the sections of a newer version that it lacks, each behind the one that it follows there:
 * so that what the plan points to is there. Nothing of theirs changes.
 */
export function mergeSpec(theirs: string, fresh: string): string {
  const end = theirs.includes("\r\n") ? "\r\n" : "\n";
  const parts = partsOf(theirs);
  const places = new Map(parts.map(({ anchor }, index) => [anchor, index]));
  /** What goes behind each part of theirs. */
  const added = parts.map((): Part[] => []);
  let at = 0;
  for (const part of partsOf(fresh)) {
    const found = places.get(part.anchor);
    if (found === undefined) added[at]?.push(part);
    at = found ?? at;
  }
  if (added.every((behind) => behind.length === 0)) return theirs;
  const lines: string[] = [];
  for (const [index, part] of parts.entries()) {
    lines.push(...part.lines);
    for (const behind of added[index] ?? []) {
      if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
      lines.push(...withoutBlankEnd(behind.lines), "");
    }
  }
  return lines.join(end);
}

/** The sections that an edited spec and a newer version both have, and say other things in; the title of each. */
export function differingSections(theirs: string, fresh: string): string[] {
  const words = ({ lines }: Part) => lines.join("\n").trim();
  const own = new Map(partsOf(theirs).map((part) => [part.anchor, words(part)]));
  return partsOf(fresh).flatMap((part) =>
    part.anchor !== "" && own.has(part.anchor) && own.get(part.anchor) !== words(part) ? part.title : [],
  );
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

function partsOf(text: string): Part[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const headed = readOutline(text).filter(({ isHeading }) => isHeading);
  const anchors = anchorsOf(headed.map(({ title }) => title));
  const starts = headed.map(({ line }) => line - 1);
  const preface: Part = { anchor: "", title: "", lines: lines.slice(0, starts[0] ?? lines.length) };
  return [
    preface,
    ...anchors.map((anchor, index) => ({
      anchor,
      title: headed[index]?.title ?? "",
      lines: lines.slice(starts[index], starts[index + 1]),
    })),
  ];
}
