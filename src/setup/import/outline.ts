/** One piece of a section's body. */
export type Item =
  | { kind: "box"; text: string; done: boolean; indent: number }
  | { kind: "bullet"; text: string; ordered: boolean; indent: number }
  | { kind: "row"; cells: string[]; header: string[] }
  | { kind: "text"; text: string };

/** A heading with what stands below it, up to the next heading; level 0 is what comes before the first. */
export type Section = { level: number; title: string; line: number; items: Item[] };

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const BULLET = /^(\s*)(?:([-*+•–])|(\d{1,4}[.)]))\s*(?:\[([ \txX✓]?)\]\s*)?(\S.*)$/;
/** A requirement that begins with its id begins a paragraph, as lists of them are written in plain text. */
const OWN_ID = /^\s{0,3}\**[A-Z][A-Z0-9]{0,9}(?:-[A-Z0-9]{1,10}){0,3}-?\d[\d.]*[a-z]?\**\s*[:)–—]/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/**
 * A document as sections of boxes, bullets, table rows and paragraphs. Total, and linear in its length: code fences and
 * HTML comments say nothing, what is never closed hides nothing beyond its paragraph.
 */
export function outlineOf(text: string): Section[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const sections: Section[] = [{ level: 0, title: "", line: 1, items: [] }];
  const here = () => sections.at(-1)?.items ?? [];
  let fence: string | null = null;
  let header: string[] | null = null;
  const paragraph: string[] = [];
  let comment = false;
  const endParagraph = () => {
    if (paragraph.length > 0) here().push({ kind: "text", text: paragraph.join(" ") });
    paragraph.length = 0;
  };
  const begin = (level: number, title: string, line: number) => {
    endParagraph();
    sections.push({ level, title: plainTitle(title), line, items: [] });
  };
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined && closesBelow(lines, index, mark)) {
      endParagraph();
      fence = mark;
      continue;
    }
    if (comment || /^\s*<!--/.test(line)) {
      comment = !line.includes("-->");
      if (line.trim() === "") comment = false;
      continue;
    }
    const heading = HEADING.exec(line);
    const underline = /^ {0,3}(=+|-{2,})\s*$/.exec(line)?.[1];
    if (heading !== null) begin(heading[1]?.length ?? 1, heading[2] ?? "", index + 1);
    else if (underline !== undefined && paragraph.length === 1) {
      const [title = ""] = paragraph;
      paragraph.length = 0;
      begin(underline.startsWith("=") ? 1 : 2, title, index);
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      endParagraph();
      const cells = cellsOf(line);
      if (cells.every((cell) => /^:?-+:?$/.test(cell))) continue;
      const next = lines[index + 1] ?? "";
      if (header === null || /^\s*\|?\s*:?-{2,}/.test(next)) header = cells;
      else here().push({ kind: "row", cells, header });
      continue;
    } else takeLine(line, here(), paragraph, endParagraph);
    header = null;
  }
  endParagraph();
  return sections;
}

function takeLine(line: string, items: Item[], paragraph: string[], endParagraph: () => void): void {
  if (line.trim() === "") {
    endParagraph();
    return;
  }
  const [, indent = "", dash, number, box, words = ""] = BULLET.exec(line) ?? [];
  const isItem =
    (dash !== undefined || number !== undefined) &&
    (/[.)\]•-]\s|^\s*[-*+•–]\s|\]/.test(line.slice(0, line.length - words.length)) || box !== undefined);
  if (isItem) {
    endParagraph();
    const width = indent.replaceAll("\t", "    ").length;
    const text = words.trim();
    if (box !== undefined) items.push({ kind: "box", text, done: /[xX✓]/.test(box), indent: width });
    else items.push({ kind: "bullet", text, ordered: number !== undefined, indent: width });
    return;
  }
  const last = items.at(-1);
  if (OWN_ID.test(line)) endParagraph();
  const goesOn =
    paragraph.length === 0 &&
    !OWN_ID.test(line) &&
    /^\s{2,}\S/.test(line) &&
    (last?.kind === "box" || last?.kind === "bullet");
  if (goesOn) last.text = `${last.text} ${line.trim()}`;
  else paragraph.push(line.trim());
}

function closesBelow(lines: readonly string[], at: number, mark: string): boolean {
  return lines.slice(at + 1, at + 401).some((line) => line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim()));
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainTitle(cell.replaceAll("\\|", "|")));
}

/** A heading's words without markup, the colon at its end, and the blanks. */
export function plainTitle(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s*\{#[\w-]+\}\s*$/, "")
    .replace(/[*`~]|(?<!\w)_+|_+(?!\w)/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\s*:$/, "");
}

/** The anchor that GitHub and editors give a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
