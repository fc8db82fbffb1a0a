import { closesFence, type Fence, parseFence, parseHeading, parseListItem } from "../../core/text/markdown-blocks.ts";
import { cellsOf, tableLength } from "../text/markdown-table.ts";
import { text } from "./html.ts";

const INLINE = /(`+)([^`]+)\1|\*\*(\S(?:.*?\S)?)\*\*/g;

/** A longer line keeps its Markdown as text: the search for closing marks would take too long. */
const LONGEST_MARKED = 2000;

/** An agent's text as HTML, with the Markdown that helps a reader; the rest stays unchanged. */
export function richText(source: string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let code: string[] = [];
  let fence: Fence | null = null;
  const endParagraph = () => {
    if (paragraph.length > 0) out.push(`<p>${paragraph.join("\n")}</p>`);
    paragraph = [];
  };
  const endCode = () => {
    if (fence !== null) out.push(`<pre>${text(code.join("\n"))}</pre>`);
    fence = null;
    code = [];
  };
  const lines = source.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (fence !== null) {
      if (closesFence(line, fence)) endCode();
      else code.push(line);
      continue;
    }
    const rows = line.length > LONGEST_MARKED ? 0 : tableLength(lines, at);
    if (rows > 0) {
      endParagraph();
      out.push(tableHtml(lines.slice(at, at + rows)));
      at += rows - 1;
      continue;
    }
    fence = parseFence(line);
    if (fence !== null || line.trim() === "") endParagraph();
    else paragraph.push(lineHtml(line));
  }
  endParagraph();
  endCode();
  return out.join("");
}

/** @param rows its lines: the head, the rule, the rows */
function tableHtml([head = "", , ...body]: readonly string[]): string {
  const row = (line: string, cell: "th" | "td") =>
    `<tr>${cellsOf(line)
      .map((words) => `<${cell}>${inline(words)}</${cell}>`)
      .join("")}</tr>`;
  const rows = body.map((line) => row(line, "td")).join("");
  return `<table class="said"><thead>${row(head, "th")}</thead><tbody>${rows}</tbody></table>`;
}

function lineHtml(line: string): string {
  if (line.length > LONGEST_MARKED) return text(line);
  const title = parseHeading(line)?.title ?? "";
  if (title !== "") return `<b>${inline(title)}</b>`;
  const item = parseListItem(line);
  return inline(item === null || item.isNumbered ? line : `${item.indent}• ${item.text}`);
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
