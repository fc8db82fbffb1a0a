const TOKEN =
  /<w:(p|tbl|tr|tc)(?:\s[^>]*)?>|<\/w:(p|tbl|tr|tc)>|<w:pStyle\s[^>]*w:val="([^"]*)"|<w:ilvl\s[^>]*w:val="(\d+)"|<w:(numId)\s[^>]*w:val="(\d+)"|<w:outlineLvl\s[^>]*w:val="(\d+)"|<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(tab|br|cr)(?:\s[^>]*)?\/>|<w:del(?:\s[^>]*)?>|<\/w:del>|(☐|☑|☒)/g;

type Paragraph = { text: string; style: string; level: number | null; list: boolean; outline: number | null };

/**
 * The text of a Word document as Markdown: headings by their style, lists, tables, paragraphs. Reads the marks of
 * `word/document.xml` one after another and knows no entity but XML's five, so that no document can make it do more.
 */
export function docxMarkdown(xml: string): string {
  const out: string[] = [];
  let paragraph: Paragraph | null = null;
  let row: string[] | null = null;
  let cell: string[] | null = null;
  let rows = 0;
  let deleted = 0;
  for (const token of xml.matchAll(TOKEN)) {
    const [whole, open, close, style, level, , numId, outline, text, space] = token;
    if (whole.startsWith("<w:del")) deleted += whole.endsWith("/>") ? 0 : 1;
    else if (whole === "</w:del>") deleted = Math.max(0, deleted - 1);
    else if (open === "p" && !whole.endsWith("/>"))
      paragraph = { text: "", style: "", level: null, list: false, outline: null };
    else if (open === "tbl") rows = 0;
    else if (open === "tr") row = [];
    else if (open === "tc") cell = [];
    else if (style !== undefined && paragraph !== null) paragraph.style = style;
    else if (level !== undefined && paragraph !== null) paragraph.level = Number(level);
    else if (numId !== undefined && paragraph !== null) paragraph.list = numId !== "0";
    else if (outline !== undefined && paragraph !== null) paragraph.outline = Number(outline);
    else if (text !== undefined && paragraph !== null && deleted === 0) paragraph.text += decode(text);
    else if (space !== undefined && paragraph !== null) paragraph.text += " ";
    else if (close === "p" && paragraph !== null) {
      if (cell !== null) cell.push(paragraph.text.trim());
      else out.push(...paragraphLines(paragraph));
      paragraph = null;
    } else if (close === "tc" && cell !== null) {
      row?.push(
        cell
          .filter((part) => part !== "")
          .join(" ")
          .replaceAll("|", "\\|"),
      );
      cell = null;
    } else if (close === "tr" && row !== null) {
      out.push(`| ${row.join(" | ")} |`);
      if (rows++ === 0) out.push(`|${" --- |".repeat(row.length)}`);
      row = null;
    } else if (close === "tbl") out.push("");
  }
  return `${out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

function paragraphLines({ text, style, level, list, outline }: Paragraph): string[] {
  const words = text.replace(/\s+/g, " ").trim();
  if (words === "") return [""];
  const heading = outline === null ? headingLevel(style) : outline + 1;
  if (heading !== null && heading <= 6) return ["", `${"#".repeat(heading)} ${words}`, ""];
  if (list || /^List/i.test(style)) {
    const box = /^[☐☑☒]\s*/.exec(words)?.[0];
    const mark = box === undefined ? "" : box.startsWith("☐") ? "[ ] " : "[x] ";
    return [`${"  ".repeat(level ?? 0)}- ${mark}${words.slice(box?.length ?? 0)}`];
  }
  return ["", words, ""];
}

/** Word names its styles in the language of whoever wrote the document. */
function headingLevel(style: string): number | null {
  if (/^(?:title|titel|titre|título|titolo)$/i.test(style)) return 1;
  const level = /^(?:heading|berschrift|überschrift|titre|título|titolo|kop|rubrik|overskrift)\s*(\d)$/i.exec(
    style,
  )?.[1];
  return level === undefined ? null : Number(level);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
