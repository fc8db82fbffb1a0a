import { parseHeading } from "../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../core/text/markdown-lines.ts";
import type { Priority } from "./task.ts";

/** The headings of the plan's sections, and their other names. */
export const SECTIONS: Readonly<Record<Priority | "completed", { title: string; match: RegExp }>> = {
  high: { title: "High Priority", match: /^(?:high(?: priority)?|critical|must have)$/i },
  medium: { title: "Medium Priority", match: /^(?:medium(?: priority)?|normal|should have)$/i },
  low: { title: "Low Priority", match: /^low(?: priority)?$/i },
  optional: { title: "Optional", match: /^(?:optional|nice to have|future(?: enhancements)?)$/i },
  completed: { title: "Completed", match: /^(?:completed|done|finished)$/i },
};
export const ORDER = ["high", "medium", "low", "optional", "completed"] as const;

/** What a plan says beside its tasks. */
export const NOTES = /^notes$/i;

/** Whether a new task may stand below a heading; null stands for none. */
export function holdsTasks(title: string | null): boolean {
  return title === null || !(SECTIONS.completed.match.test(title) || NOTES.test(title));
}

export type PlanSection = (typeof ORDER)[number];

/** A heading of a plan: its line, counted from 0, and its words without markup. */
export type Heading = { line: number; level: number; title: string };

export function headingsOf(lines: readonly string[]): Heading[] {
  return visibleLines(lines.join("\n")).flatMap(({ number, text }) => {
    const heading = parseHeading(text);
    if (heading === null) return [];
    const title = heading.title.replace(/[*_`]/g, "").replace(/\s*:$/, "").trim();
    return [{ line: number - 1, level: heading.level, title }];
  });
}

/** The headings within a section of the plan. */
export function groupsOf(headings: readonly Heading[], section: PlanSection): Heading[] {
  const found = headings.find(({ title }) => SECTIONS[section].match.test(title));
  if (found === undefined) return [];
  const end = endBelow(headings, found, Number.POSITIVE_INFINITY);
  return headings.filter(({ line }) => line > found.line && line < end);
}

/** The line of the next heading of the same or a higher level. */
export function endBelow(headings: readonly Heading[], { line, level }: Heading, end: number): number {
  return headings.find((one) => one.line > line && one.level <= level)?.line ?? end;
}
