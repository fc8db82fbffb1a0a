import { text } from "./html.ts";

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)[-*+] (?=\S)/;
const INLINE = /(`+)([^`]+)\1|\*\*(\S(?:.*?\S)?)\*\*/g;

/** An agent's text as HTML with the little of Markdown that helps the eye; everything else as it stands. */
export function richText(source: string): string {
  const out: string[] = [];
  let code: string[] | null = null;
  for (const line of source.split("\n")) {
    if (FENCE.test(line)) {
      if (code !== null) out.push(`<pre>${text(code.join("\n"))}</pre>`);
      code = code === null ? [] : null;
    } else if (code !== null) code.push(line);
    else out.push(`${lineHtml(line)}\n`);
  }
  if (code !== null) out.push(`<pre>${text(code.join("\n"))}</pre>`);
  return out.join("").trimEnd();
}

function lineHtml(line: string): string {
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
