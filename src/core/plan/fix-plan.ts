import type { Settings } from "../settings/settings.ts";
import { parseBox, parseHeading } from "../text/markdown-blocks.ts";
import { visibleLines } from "../text/markdown-lines.ts";
import { boxChanges } from "./box-changes.ts";

/** An open box. `line` counts from 1; `section` is the title above it. */
export type PlanTask = { line: number; text: string; section: string | null; optional: boolean };

/** `total` = blocking_unchecked + checked; complete = total > 0 and blocking_unchecked = 0. */
export type PlanCounts = { total: number; checked: number; unchecked: number; blocking_unchecked: number };

/** A box of a plan, ticked or open. */
export type PlanBox = PlanTask & { isDone: boolean };

/** The counts of a plan's boxes, the open ones in the order of work (blocking before optional), and all as they stand. */
export type ParsedPlan = { counts: PlanCounts; tasks: PlanTask[]; boxes: PlanBox[] };

/** The document of `ralph plan --json`. */
export type PlanReport = { file: string } & PlanCounts & { plan_complete: boolean; next: PlanTask[] };

/** A longer title is cut before matching: no list of optional sections contains it. */
const MAX_TITLE_CHARS = 200;

/**
 * Counts a plan's boxes and lists the open ones, in linear time (interfaces.md "ralph plan").
 * @param optionalSections titles of sections whose boxes do not block
 */
export function parsePlan(text: string, optionalSections: readonly string[]): ParsedPlan {
  const optionalTitles = new Set(optionalSections.map(comparable).filter((title) => title !== ""));
  const boxes: PlanBox[] = [];
  let section: string | null = null;
  /** Level of the optional section around the line. */
  let optionalLevel: number | null = null;
  for (const { number, text: line } of visibleLines(text)) {
    const heading = parseHeading(line);
    if (heading !== null) {
      const { level } = heading;
      section = plainTitle(heading.title);
      if (optionalLevel !== null && level <= optionalLevel) optionalLevel = null;
      if (optionalLevel === null && optionalTitles.has(comparable(section))) optionalLevel = level;
      continue;
    }
    const box = parseBox(line);
    if (box === null) continue;
    boxes.push({ line: number, text: box.text.trim(), section, optional: optionalLevel !== null, isDone: box.isDone });
  }
  const open = boxes.flatMap(({ isDone, ...task }) => (isDone ? [] : [task]));
  const checked = boxes.length - open.length;
  const blocking = open.filter((task) => !task.optional);
  const total = blocking.length + checked;
  return {
    counts: { total, checked, unchecked: open.length, blocking_unchecked: blocking.length },
    tasks: [...blocking, ...open.filter((task) => task.optional)],
    boxes,
  };
}

/** A project's plan by its settings; null where there is none. */
export function parseProjectPlan(
  text: string | null,
  { OPTIONAL_SECTIONS }: Pick<Settings, "OPTIONAL_SECTIONS">,
): ParsedPlan | null {
  return text === null ? null : parsePlan(text, OPTIONAL_SECTIONS);
}

/** The same by the settings that a journal tells. */
export function parseRecordedPlan(
  text: string | null,
  { OPTIONAL_SECTIONS: optional }: Readonly<Record<string, unknown>>,
): ParsedPlan | null {
  return parseProjectPlan(text, { OPTIONAL_SECTIONS: Array.isArray(optional) ? optional.map(String) : [] });
}

/** Whether every blocking box is ticked; a plan without boxes, or no plan, is never complete. */
export function planComplete(counts: PlanCounts | null): boolean {
  return counts !== null && counts.total > 0 && counts.blocking_unchecked === 0;
}

/** Whether a plan that was complete has boxes again that block: somebody added to it, or took a tick away. */
export function isReopened(then: PlanCounts | null, now: PlanCounts | null): boolean {
  return planComplete(then) && now !== null && now.blocking_unchecked > 0;
}

/** Boxes ticked between two states of a plan, unticked ones negative; 0 if a state is unknown. */
export function planDelta(before: PlanCounts | null, after: PlanCounts | null): number {
  return before === null || after === null ? 0 : after.checked - before.checked;
}

const MOST_TICKED = 20;

/** Texts of the boxes that were open before and are not now, in other words either, at most 20, if any box was ticked. */
export function tickedTasks(before: ParsedPlan | null, after: ParsedPlan | null): string[] {
  if (before === null || after === null || planDelta(before.counts, after.counts) <= 0) return [];
  const open = new Set(after.tasks.map(({ text }) => text));
  const { reworded, takenOff } = boxChanges(before, after);
  for (const { from, to } of reworded) if (open.has(to)) open.add(from);
  for (const text of takenOff) open.add(text);
  const gone = [...before.tasks].sort((a, b) => a.line - b.line).filter(({ text }) => !open.has(text));
  return gone.slice(0, MOST_TICKED).map(({ text }) => text);
}

/** The JSON document of `ralph plan`. */
export function planReport(file: string, { counts, tasks }: ParsedPlan): PlanReport {
  return { file, ...counts, plan_complete: planComplete(counts), next: tasks };
}

/** A heading's title without markup and a trailing colon. */
export function plainTitle(title: string): string {
  return title
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]/g, "")
    .trim()
    .replace(/\s*:$/, "")
    .trim();
}

function comparable(title: string): string {
  return plainTitle(title).toLowerCase().replace(/\s+/g, " ");
}
