import { anchorsOf, readOutline } from "./read/outline.ts";

/** A heading with the lines up to the next heading; `anchor` is empty before the first heading. */
type Part = { anchor: string; title: string; lines: string[] };

/**
 * Adds the missing sections of a newer version to a spec that the user edited. Each goes behind its predecessor there,
 * for the plan's references to work. No line of the user's changes.
 */
export function mergeSpec(theirs: string, fresh: string): string {
  const end = theirs.includes("\r\n") ? "\r\n" : "\n";
  const parts = partsOf(theirs);
  const places = new Map(parts.map(({ anchor }, index) => [anchor, index]));
  /** The new sections behind each part of the user's text. */
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

/** The titles of the sections that an edited spec and a newer version share, but with different text. */
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
  const headings = readOutline(text).filter(({ isHeading }) => isHeading);
  const anchors = anchorsOf(headings.map(({ title }) => title));
  const starts = headings.map(({ line }) => line - 1);
  const preface: Part = { anchor: "", title: "", lines: lines.slice(0, starts[0] ?? lines.length) };
  return [
    preface,
    ...anchors.map((anchor, index) => ({
      anchor,
      title: headings[index]?.title ?? "",
      lines: lines.slice(starts[index], starts[index + 1]),
    })),
  ];
}
