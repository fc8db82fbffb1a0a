import { leadingId } from "../../plan/requirement-id.ts";
import { type SectionKind, sectionKind } from "../read/section-kind.ts";
import { isAboutDocument } from "../read/urgency.ts";

const CHAPTER = /^\s{0,8}(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s{1,6}(\p{Lu}[^\n]{1,90})$/u;
const MAX_HEADING = 90;
const MAX_WORDS = 7;
/** The dots of printed lists by their depth, as browsers and word processors draw them. */
const BULLETS = [/^[•●]\s/u, /^[◦○‣]\s/u, /^[▪■▸]\s/u];
const STORY = /^As an? [^,.;]{2,80},? I (?:want|need|can|would like)\b/;
const ITEM = /^\s*(?:[-*+•●▪◦‣·○■□▸➢☐☑☒✓]\s|\d{1,3}[.)]\s|\|)/u;

/**
 * Marks the headings of plain text (a .txt file, pasted text, the pages of a PDF) as in Markdown: chapter numbers ("2.1
 * Sign in"), lines in capitals, and the usual part names. Text with Markdown headings stays unchanged.
 */
export function plainMarkdown(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\f", "\n\n")
    .split("\n");
  if (lines.some((line) => /^#{1,6}\s+\S/.test(line))) return lines.join("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const marks = BULLETS.filter((mark) => lines.some((line) => mark.test(line)));
  /** The kind of the named part around the line. */
  let part: SectionKind | null = null;
  let isNumbered = false;
  /** The last line with words, and the one above this line. */
  let [last, said] = ["", ""];
  return lines
    .map((line, index) => {
      if (line.trim() !== "") [last, said] = [line.trim(), last];
      const [above, below] = [(lines[index - 1] ?? "").trim(), (lines[index + 1] ?? "").trim()];
      const around = { above, below, isWrapped: wraps(line, lines[index + 1] ?? ""), part, isNumbered };
      const level = index === first && isTitle(line, around) ? 1 : headingLevel(line, around);
      if (level === null) return bullet(line, { above, said, marks });
      // The criteria of a feature stay below it, as under a label.
      if (sectionKind(line.trim()) === "criteria" && !CHAPTER.test(line) && !isLoud(line.trim()))
        return `\n**${line.trim().replace(/:$/, "")}**\n`;
      if (level === 2) [part, isNumbered] = [sectionKind(line.trim()), CHAPTER.test(line)];
      return `${around.above === "" ? "" : "\n"}${"#".repeat(level)} ${line.trim()}\n`;
    })
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}

type Around = {
  above: string;
  below: string;
  /** The line continues below. */
  isWrapped: boolean;
  part: SectionKind | null;
  /** The part is a numbered chapter, and the next number starts the next one. */
  isNumbered: boolean;
};

/** Whether a sentence continues in the line below, which is indented further or starts with a small letter. */
function wraps(line: string, below: string): boolean {
  const indent = (text: string) => /^\s*/.exec(text)?.[0].length ?? 0;
  return below.trim() !== "" && !ITEM.test(below) && (indent(below) > indent(line) || /^\s*\p{Ll}/u.test(below));
}

/** Whether the first line is the title: it looks like one and text follows. */
function isTitle(line: string, { below }: Around): boolean {
  const words = line.trim();
  return (
    isShort(words) &&
    !ITEM.test(line) &&
    !/^(?:From|To|Cc|Date|Sent|Subject):/.test(words) &&
    !/:/.test(below.slice(0, 1)) &&
    sectionKind(words) === "feature"
  );
}

function isShort(words: string): boolean {
  return (
    words !== "" && words.length <= MAX_HEADING && !/[.,;:!?。、：]$/.test(words) && /^[\p{Lu}\p{Lo}\d]/u.test(words)
  );
}

function headingLevel(line: string, { above, below, isWrapped, part, isNumbered }: Around): number | null {
  const words = line.trim();
  // Words between commas are the columns of a table.
  if (words === "" || words.length > MAX_HEADING || /[.,;]$|,\S[^,]*,\S/.test(words)) return null;
  const [, number, title] = CHAPTER.exec(line) ?? [];
  if (number !== undefined && title !== undefined) {
    const depth = number.split(".").length;
    // A numbered list of sentences differs from chapters: its numbers follow each other closely and end in a dot.
    const isList = depth === 1 && /^\s*\d+[.)]/.test(line) && (/^\d+[.)]\s/.test(below) || /^\d+[.)]\s/.test(above));
    if (isList || (depth === 1 && isWrapped) || / \d+$/.test(words)) return null;
    return Math.min(6, depth + (depth === 1 && part === "list" && !isNumbered ? 2 : 1));
  }
  if (above === "" && isLoud(words)) return /^[A-Z]{1,6}-?\d/.test(words) ? null : 2;
  const isLabel = sectionKind(words) === "criteria" && (ITEM.test(below) || words.endsWith(":"));
  if (
    (above !== "" && !isLabel) ||
    !isShort(words.replace(/[:：]$/, "")) ||
    ITEM.test(line) ||
    words.split(/\s+/).length > MAX_WORDS
  )
    return null;
  if (sectionKind(words) !== "feature") return 2;
  // A short line in a list of features names a feature.
  return part === "list" && isShort(words) && below !== "" && !isAboutDocument(words) && !/^[A-Z]+-?\d/.test(words)
    ? 3
    : null;
}

function isLoud(words: string): boolean {
  return /^[\p{Lu}\d][\p{Lu}\d &/,:'()-]{3,}$/u.test(words) && /\p{Lu}{3}/u.test(words);
}

/**
 * Converts the dots of printed lists, and stories written one per line, to bullets. A story below a name stays its text.
 * @param said the last words above
 * @param marks the document's kinds of dots, outermost first: pages keep no indent
 */
function bullet(
  line: string,
  { above, said, marks }: { above: string; said: string; marks: readonly RegExp[] },
): string {
  const depth = marks.findIndex((mark) => mark.test(line));
  const item = line
    .replace(/^(\s*)[•●▪◦‣·○■▸➢]\s*/u, `$1${"  ".repeat(Math.max(0, depth))}- `)
    .replace(/^(\s*)[☐□]\s*/u, "$1- [ ] ")
    .replace(/^(\s*)[☑☒✓]\s*/u, "$1- [x] ")
    .replace(STORY, leadingId(said) === null ? "- $&" : "\n$&");
  // A new sentence below a list does not belong to its last item.
  const isNew = ITEM.test(above) && !ITEM.test(line) && /^\p{Lu}/u.test(item) && !item.startsWith("- ");
  return isNew ? `\n${item}` : item;
}
