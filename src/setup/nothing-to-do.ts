import { parsePlan } from "../core/plan/fix-plan.ts";
import { parseFence, parseHeading } from "../core/text/markdown-blocks.ts";
import { visibleLines } from "../core/text/markdown-lines.ts";
import { isOriginLine } from "./import/spec-base.ts";
import { GOAL, specGoal } from "./scaffold-files.ts";
import { TEMPLATES } from "./templates.ts";

/** The texts that may say what is to be done; null for a missing file. */
export type WorkTexts = { prompt: string | null; plan: string | null; specs: readonly string[] };

/**
 * Whether none of a project's files says what is to be done: its prompt is the one of a new or an imported project, which only
 * points at plan and specs, and these hold no more than the templates do, or a title. A prompt that anybody changed may hold the
 * work itself.
 */
export function hasNothingToDo({ prompt, plan, specs }: WorkTexts): boolean {
  const written = specs.filter((text) => text.trim() !== "");
  return (
    prompt !== null &&
    isPointer(prompt) &&
    saysNothing(plan ?? "") &&
    written.every((text) => isSpecsTemplate(text) || isTitle(text))
  );
}

function isPointer(prompt: string): boolean {
  const goals = [GOAL, specGoal("{{SPEC}}", "{{TITLE}}")];
  return goals.some((goal) =>
    filledIn(TEMPLATES["PROMPT.md"].text.replace("{{OBJECTIVE}}", () => goal)).test(normal(prompt)),
  );
}

function isSpecsTemplate(text: string): boolean {
  return filledIn(TEMPLATES["specs-README.md"].text).test(normal(text));
}

/** No more than one heading: of several, each may be a requirement. */
function isTitle(text: string): boolean {
  const spec = normal(text);
  const visible = visibleLines(spec).map((line) => line.text.trim());
  // Code is no visible line, and an API's description is nothing but code.
  if (spec.split("\n").some((line) => parseFence(line) !== null)) return false;
  const [first, second, ...more] = visible.filter((line) => line !== "" && !isOriginLine(line));
  if (first === undefined) return true;
  return parseHeading(first) === null ? /^(?:=+|-+)$/.test(second ?? "") && more.length === 0 : second === undefined;
}

/** No box, and no other line that is neither a heading nor the template's. */
function saysNothing(plan: string): boolean {
  const { counts } = parsePlan(plan, []);
  const known = new Set(linesOf(TEMPLATES["fix_plan.md"].text));
  return counts.total === 0 && linesOf(plan).every((line) => known.has(line));
}

function linesOf(text: string): string[] {
  const lines = visibleLines(text).map((line) => line.text.trim());
  return lines.filter((line) => line !== "" && parseHeading(line) === null);
}

/** A template, whatever one-line words fill its places. */
function filledIn(template: string): RegExp {
  const parts = normal(template).split(/\{\{[A-Z_]+\}\}/);
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^\\n]*")}$`);
}

function normal(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trim();
}
