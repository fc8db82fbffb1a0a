import { count } from "../../core/text/count.ts";
import type { Artifact } from "./artifacts.ts";
import type { StoryDocument } from "./stories.ts";

/** A gap or mistake in a plan. An error stops the import unless `--force` is given. */
export type Complaint = { code: string; level: "error" | "warning" | "info"; text: string };

const PRD_PARTS: readonly (readonly [string, string, RegExp])[] = [
  [
    "W3",
    "a summary, vision or goals",
    /executive summary|vision|goals|resumo executivo|visão|objetivos|resumen ejecutivo|visión/,
  ],
  [
    "W4",
    "functional requirements",
    /functional requirements|^functional$|requisitos funcionais|requisitos funcionales/,
  ],
  ["W5", "non-functional requirements", /non[- ]?functional|nfrs?|não[- ]funcionais|no funcionales/],
  ["W6", "a scope", /scope|escopo|alcance/],
];

/** Checks a BMAD plan before its stories become tasks (as in bmalph). */
export function checkBmadPlan(artifacts: readonly Artifact[], { stories, malformed }: StoryDocument): Complaint[] {
  const of = (kind: Artifact["kind"]) => artifacts.filter((artifact) => artifact.kind === kind);
  const [prd, architecture, readiness] = [of("prd"), of("architecture"), of("readiness")];
  const warn = (code: string, text: string): Complaint => ({ code, level: "warning", text });
  const error = (code: string, text: string): Complaint => ({ code, level: "error", text });
  const info = (code: string, text: string): Complaint => ({ code, level: "info", text });
  const titles = headings(prd.map(({ text }) => text).join("\n"));
  return [
    ...(prd.length === 0
      ? [warn("W1", "There is no PRD.")]
      : PRD_PARTS.filter(
          ([, , pattern]) =>
            !titles.some(
              (title) =>
                pattern.test(title) && !(pattern.source.startsWith("functional") && /non[- ]?functional/.test(title)),
            ),
        ).map(([code, section]) => warn(code, `The PRD has no section for ${section}.`))),
    ...(architecture.length === 0
      ? [warn("W2", "There is no architecture document.")]
      : headings(architecture.map(({ text }) => text).join("\n")).some((title) =>
            /tech(?:nology)? stack|technologies|tecnologias?|tecnologías/.test(title),
          )
        ? []
        : [warn("W7", "The architecture has no section for the tech stack.")]),
    ...stories
      .filter(({ criteria }) => criteria.length === 0)
      .map(({ id }) => warn("W8", `Story ${id} has no acceptance criteria.`)),
    ...stories
      .filter(({ description }) => description.length === 0)
      .map(({ id }) => warn("W9", `Story ${id} has no description.`)),
    ...stories.filter(({ epic }) => epic === null).map(({ id }) => warn("W10", `Story ${id} belongs to no epic.`)),
    ...(readiness.length === 0 ? [info("I1", "There is no readiness report.")] : []),
    ...(stories.length < 3 ? [info("I2", `The plan has only ${count(stories.length, "story", "stories")}.`)] : []),
    ...(readiness.some(({ text }) => hasNoGo(text)) ? [error("E1", "The readiness report says NO-GO.")] : []),
    ...malformed.map((id) => error("E2", `Story ${JSON.stringify(id)} has an id that is no number such as 1.2.`)),
    ...duplicates(stories.map(({ id }) => id)).map((id) => error("E3", `There are two stories ${id}.`)),
  ];
}

/**
 * Whether the text holds a no-go verdict. A meeting's name or a form's choices are none: "go/no-go decision", "READY /
 * NOT READY".
 */
function hasNoGo(text: string): boolean {
  const statesNoGo = (line: string) => /\bNO[- ]?GO\b|\b[Nn]o-[Gg]o\b|\bNOT READY\b/.test(line);
  const offers = (line: string) =>
    /\bgo\s*(?:\/|or|vs\.?)\s*no[- ]?go\b|\bready\s*(?:\/|\||or)\s*(?:\w+ ?\w*\s*(?:\/|\||or)\s*)?not ready\b/i.test(
      line,
    );
  return text.split("\n").some((line) => statesNoGo(line) && !offers(line));
}

function headings(text: string): string[] {
  return [...text.matchAll(/^#{2,3}\s+(?:\d+(?:\.\d+)*[.)]?\s+)?(.+?)\s*:?\s*$/gm)].map((match) =>
    (match[1] ?? "").toLowerCase(),
  );
}

function duplicates(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
