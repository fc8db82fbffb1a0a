import { docxNumbering } from "./docx-numbering.ts";
import { withoutEntities } from "./entities.ts";

const TOKEN =
  /<w:(p|tbl|tr|tc)(?:\s[^<>]*)?>|<\/w:(p|tbl|tr|tc)>|<w:pStyle\s[^<>]*w:val="([^"]*)"|<w:ilvl\s[^<>]*w:val="(\d+)"|<w:(numId)\s[^<>]*w:val="(\d+)"|<w:outlineLvl\s[^<>]*w:val="(\d+)"|<w:t(?:\s[^<>]*)?>([^<]*)<\/w:t>|<w:(tab|br|cr|noBreakHyphen)(?:\s[^<>]*)?\/>|<(?:w:del|w:moveFrom|mc:Fallback)(?:\s[^<>]*)?>|<\/(?:w:del|w:moveFrom|mc:Fallback)>/g;

/** Word has no deeper list level. */
const MAX_LEVEL = 8;

const BLANKS: Readonly<Record<string, string>> = { noBreakHyphen: "-", tab: "\t" };
/** Styles of code, as Word, LibreOffice and pandoc name them. */
const CODE = /^(?:source ?code|code|html ?preformatted|preformatted ?text|verbatim|listing)/i;
const FENCE = /^(?:```|~~~)$/;

type Paragraph = { text: string; style: string; level: number | null; list: string | null; outline: number | null };
/** The body or a cell. A cell may contain a table, and a paragraph a text box. */
type Part = { lines: string[]; paragraph: Paragraph | null };
type Table = { rows: string[][]; cell: Part | null };

/**
 * Converts a Word document to Markdown: styled headings, numbered lists, tables, paragraphs, and tracked changes as
 * accepted. Reads the tags of `word/document.xml` one by one and expands only XML's five entities, for safety against
 * hostile documents.
 * @param numbering `word/numbering.xml`
 */
export function docxMarkdown(xml: string, numbering = ""): string {
  const numberOf = docxNumbering(numbering);
  const body: Part = { lines: [], paragraph: null };
  const tables: Table[] = [];
  /** The paragraphs that enclose the open one. */
  const around: (Paragraph | null)[] = [];
  let hidden = 0;
  const here = () => tables.at(-1)?.cell ?? body;
  for (const token of xml.matchAll(TOKEN)) {
    const [whole, open, close, style, level, , list, outline, text, space] = token;
    const part = here();
    const { paragraph } = part;
    const table = tables.at(-1);
    if (/^<(?:w:del|w:moveFrom|mc:)/.test(whole)) hidden += whole.endsWith("/>") ? 0 : 1;
    else if (/^<\/(?:w:del|w:moveFrom|mc:)/.test(whole)) hidden = Math.max(0, hidden - 1);
    else if (hidden > 0 && (text !== undefined || space !== undefined)) continue;
    else if (open === "p" && !whole.endsWith("/>")) {
      around.push(paragraph);
      part.paragraph = { text: "", style: "", level: null, list: null, outline: null };
    } else if (open === "tbl") tables.push({ rows: [], cell: null });
    else if (open === "tr") table?.rows.push([]);
    else if (open === "tc" && table !== undefined) table.cell = { lines: [], paragraph: null };
    else if (close === "p" && paragraph !== null) {
      const isCell = part !== body;
      if (isCell) part.lines.push(paragraph.text.replace(/\s+/g, " ").trim());
      else if (CODE.test(paragraph.style)) addCode(part.lines, paragraph.text);
      else part.lines.push(...paragraphLines(paragraph, numberOf));
      part.paragraph = around.pop() ?? null;
    } else if (close === "tc" && table?.cell) {
      table.rows.at(-1)?.push(table.cell.lines.filter((line) => line !== "").join(" "));
      table.cell = null;
    } else if (close === "tbl" && table !== undefined) {
      tables.pop();
      const isNested = tables.length > 0;
      here().lines.push(...(isNested ? [table.rows.flat().join(" ")] : tableLines(table.rows)));
    } else if (paragraph === null) continue;
    else if (style !== undefined) paragraph.style = style;
    else if (level !== undefined) paragraph.level = Math.min(MAX_LEVEL, Number(level));
    else if (list !== undefined) paragraph.list = list === "0" ? null : list;
    else if (outline !== undefined) paragraph.outline = Number(outline);
    else if (text !== undefined) paragraph.text += withoutEntities(text);
    else if (space !== undefined) paragraph.text += BLANKS[space] ?? "\n";
  }
  return `${body.lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

/** Adds a paragraph of code; paragraphs of code that follow each other are one block. */
function addCode(lines: string[], text: string): void {
  const open = FENCE.test(lines.at(-1) ?? "") ? lines.pop() : undefined;
  const fence = open ?? (text.includes("```") ? "~~~" : "```");
  lines.push(...(open === undefined ? ["", fence] : []), ...text.split("\n").map((line) => line.trimEnd()), fence);
}

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const lines = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  return ["", ...lines.slice(0, 1), `|${" --- |".repeat(rows[0]?.length ?? 1)}`, ...lines.slice(1), ""];
}

function paragraphLines(
  { text, style, level, list, outline }: Paragraph,
  numberOf: ReturnType<typeof docxNumbering>,
): string[] {
  const words = text.replace(/\s+/g, " ").trim();
  if (words === "") return [""];
  if (/^TOC ?\d/i.test(style)) return [];
  const heading = outline === null ? headingLevel(style) : outline + 1;
  const number = list === null ? null : numberOf(list, level ?? 0);
  if (heading !== null && heading <= 6)
    return ["", `${"#".repeat(heading)} ${number === null ? "" : `${number} `}${words}`, ""];
  const box = /^[☐☑☒]\s*/.exec(words)?.[0];
  if (list === null && box === undefined && !/^List/i.test(style)) return ["", words, ""];
  const mark = box === undefined ? "" : box.startsWith("☐") ? "[ ] " : "[x] ";
  // A plain "1." belongs to the list; a longer label such as "REQ-1" or "2.3" is a name.
  const isPlain = number === null || /^\(?\w{1,3}[.)]?$/.test(number);
  const bullet = number !== null && /^\d{1,3}[.)]$/.test(number) ? number : "-";
  return [`${"  ".repeat(level ?? 0)}${bullet} ${mark}${isPlain ? "" : `${number} `}${words.slice(box?.length ?? 0)}`];
}

/** Word names its styles in the author's language. */
function headingLevel(style: string): number | null {
  if (/^(?:title|titel|titre|título|titolo)$/i.test(style)) return 1;
  const level = /^(?:heading|berschrift|überschrift|titre|título|titolo|kop|rubrik|overskrift)\s*(\d)$/i.exec(
    style,
  )?.[1];
  return level === undefined ? null : Number(level);
}
