/** A recorded terminal as an SVG: small, light and dark, moving once, and complete for whoever shows no motion. */

import { STYLE } from "../../../src/view/text/style.ts";
import { columns } from "../../../src/view/text/text.ts";
import type { RecordedLine } from "./recording.ts";

const FONT = 13;
/** Width of a character of usual monospace fonts; `textLength` makes the others keep it. */
const COLUMN = 7.8;
const ROW = 18;
const MARGIN = 16;

/** The classes of the styles of `view/text/style.ts`, by the number that begins them. */
const CLASSES: Readonly<Record<string, string>> = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y", 34: "u", 36: "c" };
/** What ends them: bold and dim end alike. */
const ENDS: Readonly<Record<string, readonly string[]>> = { 22: ["b", "d"], 39: ["r", "g", "y", "u", "c"] };

// The colours are those of the report page (templates/report/page.css).
const CSS = `text{font:${FONT}px ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre;fill:#22242a;animation:s 0s backwards}
rect{fill:#fbfaf8;stroke:#e6e2da}.b{font-weight:bold}.d{fill:#6d7078}.r{fill:#bf4340}.g{fill:#2a7650}.y{fill:#a06a10}.u,.c{fill:#3e63c8}
@keyframes s{from{visibility:hidden}}
@media(prefers-color-scheme:dark){text{fill:#e4e5e8}rect{fill:#16171a;stroke:#2c2f35}.d{fill:#999ea8}.r{fill:#f08783}.g{fill:#5fc492}.y{fill:#e0b15c}.u,.c{fill:#86a5ff}}
@media(prefers-reduced-motion){text{animation:none}}`;

/**
 * @param lines in the order of the screen
 * @param about its text for those who do not see it
 * @param width columns of the terminal
 */
export function terminalSvg(
  lines: readonly RecordedLine[],
  { about, width }: { about: string; width: number },
): string {
  const [wide, high] = [Math.ceil(width * COLUMN) + 2 * MARGIN, lines.length * ROW + 2 * MARGIN];
  const texts = lines.flatMap((line, index) => (line.text === "" ? [] : [textElement(line, index)]));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-label="${escaped(about)}">
<style>${CSS}</style>
<rect x=".5" y=".5" width="${wide - 1}" height="${high - 1}" rx="8"/>
${texts.join("\n")}
</svg>
`;
}

function textElement({ ms, text }: RecordedLine, index: number): string {
  const spans = spansOf(text);
  const [first] = spans;
  const indent = /^ */.exec(first?.text ?? "")?.[0].length ?? 0;
  if (first !== undefined) first.text = first.text.slice(indent);
  const length = columns(spans.map(({ text }) => text).join(""));
  const place = `x="${round(MARGIN + indent * COLUMN)}" y="${MARGIN + index * ROW + FONT}" textLength="${round(length * COLUMN)}"`;
  const delay = ms === 0 ? "" : ` style="animation-delay:${round(ms / 1000)}s"`;
  const inside = spans.map(({ text, classes }) =>
    classes === "" ? escaped(text) : `<tspan class="${classes}">${escaped(text)}</tspan>`,
  );
  return `<text ${place}${delay}>${inside.join("")}</text>`;
}

type Span = { text: string; classes: string };

/** @throws for a style that has no class here */
function spansOf(line: string): Span[] {
  const on = new Set<string>();
  const spans: Span[] = [];
  for (const part of line.split(STYLE)) {
    if (!part.startsWith("\u001b[")) {
      if (part !== "") spans.push({ text: part, classes: [...on].join(" ") });
      continue;
    }
    const number = part.slice(2, -1);
    const name = CLASSES[number];
    if (name !== undefined) on.add(name);
    else if (ENDS[number] === undefined) throw new Error(`the terminal's picture knows no style ${number}`);
    for (const ended of ENDS[number] ?? []) on.delete(ended);
  }
  return spans;
}

const round = (value: number) => Math.round(value * 10) / 10;
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
