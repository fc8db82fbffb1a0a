const CHAPTER = /^\s{0,8}(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s{1,6}(\p{Lu}[^\n]{1,90})$/u;
const MAX_HEADING = 90;

/**
 * Plain text, as a .txt file or the pages of a PDF hold it, with its headings marked as in Markdown: chapter numbers
 * ("2.1 Sign in"), lines in capitals, and a requirement's id alone with its title. A text that has such marks is left alone.
 */
export function plainMarkdown(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\f", "\n\n").split("\n");
  if (lines.some((line) => /^#{1,6}\s+\S/.test(line))) return lines.join("\n");
  return lines
    .map((line, index) => {
      const above = (lines[index - 1] ?? "").trim();
      const below = (lines[index + 1] ?? "").trim();
      const level = headingLevel(line, above, below);
      return level === null ? bullet(line) : `${above === "" ? "" : "\n"}${"#".repeat(level)} ${line.trim()}\n`;
    })
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}

function headingLevel(line: string, above: string, below: string): number | null {
  const words = line.trim();
  if (words === "" || words.length > MAX_HEADING || /[.,;]$/.test(words)) return null;
  const [, number, title] = CHAPTER.exec(line) ?? [];
  if (number !== undefined && title !== undefined) {
    const depth = number.split(".").length;
    // A list of sentences is numbered as well: its numbers stand close together, and end in a dot.
    const isList = depth === 1 && /^\s*\d+[.)]/.test(line) && (/^\d+[.)]\s/.test(below) || /^\d+[.)]\s/.test(above));
    return isList || / \d+$/.test(words) ? null : Math.min(6, depth + 1);
  }
  const isLoud = above === "" && /^[\p{Lu}\d][\p{Lu}\d &/,:'()-]{3,}$/u.test(words) && /\p{Lu}{3}/u.test(words);
  return isLoud && !/^[A-Z]{1,6}-?\d/.test(words) ? 2 : null;
}

/** The dots of printed lists. */
function bullet(line: string): string {
  return line
    .replace(/^(\s*)[•●▪◦‣·]\s*/u, "$1- ")
    .replace(/^(\s*)☐\s*/u, "$1- [ ] ")
    .replace(/^(\s*)[☑☒✓]\s*/u, "$1- [x] ");
}
