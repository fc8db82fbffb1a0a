import { closesFence, type Fence, parseFence, parseHeading } from "../../../core/text/markdown-blocks.ts";
import { leadingId, leadingNumber } from "../../plan/requirement-id.ts";
import { plainTitle } from "../formats/inline.ts";
import { cellsOf, isSeparator, looksLikeRow } from "../formats/table-line.ts";
import { type SectionKind, sectionKind } from "./section-kind.ts";
import { type TableHead, tableHead } from "./table-task.ts";
import { aboutTask } from "./urgency.ts";

/** One piece of a section's body; `text` keeps its markup. */
export type Item =
  | { kind: "box"; text: string; done: boolean; indent: number }
  | { kind: "bullet"; text: string; ordered: boolean; indent: number }
  | { kind: "row"; cells: string[]; head: TableHead }
  | { kind: "text"; text: string };

/** A heading with the text up to the next heading; level 0 is the text before the first. */
export type Section = {
  level: number;
  title: string;
  /** The title with its markup. */
  raw: string;
  line: number;
  /** False for a line that only acts as a heading ("**Acceptance criteria**") and has no anchor. */
  isHeading: boolean;
  items: Item[];
};

/** Deeper than every real heading. */
export const LABEL_LEVEL = 7;

const BULLET = /^(\s*)(?:([-*+•–])|(\d{1,4}[.)]))\s*(?:\[([ \txX✓]?)\](?![(:])\s*)?(\S.*)$/s;
/** Words right behind a number's mark: `10.Tenth`, but not `2.x`, `3.js` or `1.5`. */
const BARE_WORDS = /^(?:\p{Lu}|\p{Lo}|\p{Ll}{3,}(?:\s|$))/u;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const MAX_FRONT_MATTER = 100;
const NO_HEAD = tableHead([]);

/**
 * Reads a document as sections of boxes, bullets, table rows and paragraphs. Total and linear. Skips code fences,
 * HTML comments and front matter; an unclosed one hides at most its paragraph.
 */
export function readOutline(text: string): Section[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const reader = createReader();
  let fence: Fence | null = null;
  let head: TableHead | null = null;
  let comment = false;
  for (let index = frontMatterEnd(lines); index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (fence !== null) {
      if (closesFence(line, fence)) fence = null;
      continue;
    }
    const opening = parseFence(line);
    if (opening !== null && closesBelow(lines, index, opening)) {
      reader.endParagraph(index + 1);
      fence = opening;
      continue;
    }
    if (comment || /^\s*<!--/.test(line)) {
      comment = !line.includes("-->") && line.trim() !== "";
      continue;
    }
    const heading = parseHeading(line);
    const underline = /^ {0,3}(=+|-{2,})\s*$/.exec(line)?.[1];
    if (heading !== null) reader.begin(heading.level, heading.title, index + 1);
    else if (underline !== undefined && reader.underline(underline.startsWith("=") ? 1 : 2, index)) head = null;
    else if (RULE.test(line)) reader.endParagraph(index + 1);
    else if (looksLikeRow(line, lines[index + 1] ?? "", head !== null)) {
      reader.endParagraph(index + 1);
      if (isSeparator(line)) continue;
      const cells = cellsOf(line);
      if (isSeparator(lines[index + 1] ?? "")) head = tableHead(cells);
      else reader.add({ kind: "row", cells, head: head ?? NO_HEAD });
      continue;
    } else reader.take(line, index + 1);
    head = null;
  }
  return reader.finish(lines.length);
}

/** The sections so far, with the paragraph and list item that the next line may continue. */
function createReader() {
  const sections: Section[] = [{ level: 0, title: "", raw: "", line: 1, isHeading: false, items: [] }];
  let paragraph: string[] = [];
  /** The list item on the line above. */
  let open: Extract<Item, { text: string }> | null = null;
  let realKind: SectionKind | null = null;
  const add = (item: Item) => sections.at(-1)?.items.push(item);
  const section = (level: number, raw: string, line: number) => {
    const isHeading = level < LABEL_LEVEL;
    const title = plainTitle(raw);
    if (isHeading) realKind = level === 1 ? null : sectionKind(title);
    sections.push({ level, title, raw, line, isHeading, items: [] });
  };
  const endParagraph = (line: number) => {
    const last = paragraph.at(-1);
    const label = last === undefined ? null : labelOf(last, realKind);
    if (label !== null) paragraph.pop();
    if (paragraph.length > 0) add({ kind: "text", text: paragraph.reduce(joined) });
    if (label !== null) section(LABEL_LEVEL, label, line - 1);
    paragraph = [];
    open = null;
  };
  return {
    add,
    endParagraph,
    begin(level: number, raw: string, line: number) {
      endParagraph(line);
      section(level, raw, line);
    },
    /** Turns a paragraph of one line above, if there is one, into a heading. */
    underline(level: number, line: number): boolean {
      const [title] = paragraph;
      if (title === undefined || paragraph.length > 1) return false;
      paragraph = [];
      open = null;
      section(level, title, line);
      return true;
    },
    take(line: string, number: number) {
      if (line.trim() === "") return endParagraph(number);
      const item = itemOf(line);
      if (item !== null) {
        endParagraph(number);
        add(item);
        open = item;
        return;
      }
      const last = sections.at(-1)?.items.at(-1);
      const isNew =
        beginsWithId(line) || labelOf(line.trim(), realKind) !== null || isRemark(line, paragraph[0], paragraph.at(-1));
      if (isNew) endParagraph(number);
      const goesOn = paragraph.length === 0 && !isNew;
      if (goesOn && open !== null) open.text = `${open.text} ${line.trim()}`;
      else if (goesOn && /^\s{2,}\S/.test(line) && (last?.kind === "box" || last?.kind === "bullet"))
        last.text = `${last.text} ${line.trim()}`;
      else paragraph.push(paragraph[0]?.startsWith(">") ? line.trim().replace(/^(?:>\s*)+/, "") : line.trim());
    },
    finish(line: number): Section[] {
      endParagraph(line + 1);
      return sections;
    },
  };
}

/** Joins the lines of a paragraph; the steps of a scenario become one sentence. */
function joined(text: string, line: string): string {
  return `${text}${/^(?:When|Then|And|But)\b/.test(line) && /[^.,;:]$/.test(text) ? "," : ""} ${line}`;
}

/** A box as word processors draw it, with a bullet before it or not. */
const BALLOT = /^(\s*)(?:[-*+•]\s+)?([☐☑☒])\ufe0f?\s*(?=\S)/u;

function itemOf(written: string): Extract<Item, { kind: "box" | "bullet" }> | null {
  const line = written.replace(BALLOT, (_, indent, box) => `${indent}- [${box === "☐" ? " " : "x"}] `);
  const [, indent = "", dash, number, box, words = ""] = BULLET.exec(line) ?? [];
  if (dash === undefined && number === undefined) return null;
  const head = line.slice(0, line.length - words.length);
  const text = words.trim();
  const isBare = number !== undefined && BARE_WORDS.test(text);
  if (box === undefined && !isBare && !/[.)\]•-]\s|^\s*[-*+•–]\s|\]/.test(head)) return null;
  const width = indent.replaceAll("\t", "    ").length;
  return box === undefined
    ? { kind: "bullet", text, ordered: number !== undefined, indent: width }
    : { kind: "box", text, done: /[xX✓]/.test(box), indent: width };
}

/** A leading requirement id starts a new paragraph: plain text lists requirements line by line. */
function beginsWithId(line: string): boolean {
  return /^\s{0,3}[^\s\p{Ll}]/u.test(line) && (leadingId(line) !== null || isStatement(line));
}

/** Whether a line is an attribute of the requirement above: "Priority: high", "Rationale: …". */
function isRemark(line: string, first: string | undefined, last: string | undefined): boolean {
  if (first === undefined || last === undefined) return false;
  if (aboutTask(line) !== null || aboutTask(last) !== null) return true;
  return beginsWithId(first) && /^\s*[*_]*\p{Lu}[\p{L} ]{2,24}[*_]*:[*_]*\s+\S/u.test(line);
}

function isStatement(line: string): boolean {
  return /^\p{Lu}|^\p{Lo}/u.test(leadingNumber(line)?.rest ?? "");
}

/**
 * The label in a line that acts as a heading: alone in bold, or before a colon. A feature's own lists ("Requirements:")
 * stay with the feature.
 */
function labelOf(line: string, above: SectionKind | null): string | null {
  if (line.length > 80) return null;
  const title = /^([*_]{1,3})([^*_]+)\1\s*[:：]?$/.exec(line)?.[2] ?? /^([^.:：|]{2,50})[:：]$/.exec(line)?.[1];
  if (title === undefined) return null;
  const kind = sectionKind(title.replace(/[:：]\s*$/, ""));
  if (kind === "feature" || (kind === "list" && above === "feature")) return null;
  return title.trim();
}

function closesBelow(lines: readonly string[], at: number, open: Fence): boolean {
  return lines.slice(at + 1, at + 401).some((line) => closesFence(line, open));
}

/** The index of the first line after the front matter. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  const end = lines.slice(1, MAX_FRONT_MATTER).findIndex((line) => /^(?:---|\.\.\.)\s*$/.test(line));
  const inner = lines.slice(1, end + 1);
  return end > 0 && inner.every((line) => /^(?:[\w-]+\s*:|-\s|\s|#|$)/.test(line)) ? end + 2 : 0;
}

/** The anchors that GitHub and editors give to headings, in order, each once: the second heading of a name gets `-1`, or what is free. */
export function anchorsOf(titles: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return titles.map((title) => {
    const own = anchorOf(title);
    let anchor = own;
    while (counts.has(anchor)) {
      const count = (counts.get(own) ?? 0) + 1;
      counts.set(own, count);
      anchor = `${own}-${count}`;
    }
    counts.set(anchor, 0);
    return anchor;
  });
}

/** The anchor of the first heading of a name. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
