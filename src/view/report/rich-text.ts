import { text } from "./html.ts";

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)[-*+] (?=\S)/;
const INLINE = /(`+)([^`]+)\1|\*\*(\S(?:.*?\S)?)\*\*/g;

/** Marks in a longer line stay as they are: to look for their ends would take too long. */
const LONGEST_MARKED = 2000;

/** An agent's text as HTML with the little of Markdown that helps the eye; everything else as it stands. */
export function richText(source: string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let code: string[] | null = null;
  const endParagraph = () => {
    if (paragraph.length > 0) out.push(`<p>${paragraph.join("\n")}</p>`);
    paragraph = [];
  };
  const endCode = () => {
    if (code !== null) out.push(`<pre>${text(code.join("\n"))}</pre>`);
    code = null;
  };
  for (const line of source.split("\n")) {
    if (FENCE.test(line)) {
      endParagraph();
      if (code === null) code = [];
      else endCode();
    } else if (code !== null) code.push(line);
    else if (line.trim() === "") endParagraph();
    else paragraph.push(lineHtml(line));
  }
  endParagraph();
  endCode();
  return out.join("");
}

function lineHtml(line: string): string {
  if (line.length > LONGEST_MARKED) return text(line);
  const heading = HEADING.exec(line)?.[1];
  return heading === undefined ? inline(line.replace(BULLET, "$1• ")) : `<b>${inline(heading)}</b>`;
}

function inline(line: string): string {
  let html = "";
  let at = 0;
  for (const match of line.matchAll(INLINE)) {
    const [all, ticks, code, strong] = match;
    html += text(line.slice(at, match.index));
    html += ticks === undefined ? `<b>${text(strong ?? "")}</b>` : `<code>${text(code ?? "")}</code>`;
    at = match.index + all.length;
  }
  return html + text(line.slice(at));
}
