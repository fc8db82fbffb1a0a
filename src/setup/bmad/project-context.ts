import { readOutline } from "../import/read/outline.ts";
import type { Artifact } from "./artifacts.ts";

const MOST = 5000;

const PARTS: readonly (readonly [title: string, kinds: readonly Artifact["kind"][], heading: RegExp])[] = [
  ["Goals", ["prd", "other"], /executive summary|vision|goals|objectives/i],
  ["Success metrics", ["prd"], /success (?:metrics|criteria)|kpis?/i],
  ["Scope", ["prd"], /scope/i],
  ["Users", ["prd"], /users?|personas?|audience/i],
  ["Non-functional requirements", ["prd", "architecture"], /non-?functional|nfrs?|quality attributes/i],
  ["Architecture constraints", ["architecture"], /constraints|decisions|patterns|principles/i],
  ["Tech stack", ["architecture"], /tech(?:nology)? stack|technologies/i],
  ["Risks", ["prd", "architecture"], /risks?/i],
  ["Conventions", ["architecture", "other"], /conventions|structure|standards|guidelines/i],
];

/** The parts of the planning documents that every iteration needs; null if there are none. */
export function projectContext(artifacts: readonly Artifact[]): { text: string; cut: string[] } | null {
  const cut: string[] = [];
  const parts = PARTS.flatMap(([title, kinds, heading]) => {
    const texts = artifacts
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ text }) => sectionText(text, heading) ?? []);
    const [first] = texts;
    if (first === undefined) return [];
    if (first.length > MOST) cut.push(title);
    return [
      `## ${title}\n\n${first.length > MOST ? `${first.slice(0, MOST).toWellFormed().trimEnd()}\n\n(cut: the rest stands in the specs)` : first}\n`,
    ];
  });
  return parts.length === 0
    ? null
    : {
        text: `# Project context\n\nFrom the planning documents; their full text is in \`.ralph/specs/\`.\n\n${parts.join("\n")}`,
        cut,
      };
}

/** The text below the first matching heading of level 2 or 3, up to the next heading of the same or a higher level. */
function sectionText(text: string, heading: RegExp): string | null {
  const sections = readOutline(text).filter(({ level }) => level > 0);
  const at = sections.findIndex(({ level, title }) => level > 1 && level < 4 && heading.test(title));
  const section = sections[at];
  if (section === undefined) return null;
  const next = sections.slice(at + 1).find(({ level }) => level <= section.level);
  const lines = text.split("\n").slice(section.line, next === undefined ? undefined : next.line - 1);
  const body = lines
    .join("\n")
    .replace(/^(#{1,6}) /gm, "#$1 ")
    .trim();
  return body === "" ? null : body;
}
