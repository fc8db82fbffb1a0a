import { mentionedIds } from "../../plan/requirement-id.ts";
import { comparableTitle, type Task } from "../../plan/task.ts";
import { plainTitle } from "../formats/inline.ts";
import type { Section } from "./outline.ts";
import { isMilestone, unnumbered } from "./section-kind.ts";
import { rowText } from "./table-task.ts";

/** A step of the order of work, and everything that the document says of it. */
type Milestone = { name: string; text: string };

const TITLE =
  /^(?:(?:project|product|delivery|release|rollout|implementation) )?(?:milestones?|roadmap|phases|stages|order of work)$|^(?:release|delivery|rollout) plan$/i;
/** "FR-1 to FR-5", "FR-1–5". */
const RANGE = /([A-Z][A-Z0-9_-]*[-_])(\d{1,4})\s*(?:–|—|-|to|\.{2,3}|…)\s*(?:\1)?(\d{1,4})\b/g;
const MAX_RANGE = 200;
/** A shorter title is a word that any sentence may hold. */
const MIN_TITLE = 6;

/**
 * Puts tasks in the order of the milestones that name them, by id or by title: those of the first are high, later ones
 * medium, since a plan's sections are worked through in turn. Other tasks keep their place behind them.
 */
export function inMilestoneOrder(tasks: readonly Task[], sections: readonly Section[]): Task[] {
  const milestones = milestonesOf(sections).map(({ name, text }) => ({ name, ...namesIn(text) }));
  const ranked = tasks.map((task): { task: Task; rank: number } => {
    const rank = milestones.findIndex(({ ids, words }) => isNamed(task, ids, words));
    const milestone = milestones[rank];
    if (milestone === undefined) return { task, rank: milestones.length };
    const group =
      task.group === undefined || milestone.name === task.group ? milestone.name : `${milestone.name} / ${task.group}`;
    const priority = task.priority === "optional" ? "optional" : rank === 0 ? "high" : "medium";
    return { task: { ...task, group, priority }, rank };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ task }) => task);
}

function isNamed({ id, title }: Task, ids: ReadonlySet<string>, words: string): boolean {
  const parts = (id ?? "").split(".");
  if (
    parts.some((_, at) =>
      ids.has(
        parts
          .slice(0, at + 1)
          .join(".")
          .toLowerCase(),
      ),
    )
  )
    return true;
  const name = comparableTitle(title.replace(/\s*\([^)]*\)$/, ""));
  return name.length >= MIN_TITLE && words.includes(name);
}

function namesIn(text: string): { ids: ReadonlySet<string>; words: string } {
  const ids = new Set(mentionedIds(text).map((id) => id.toLowerCase()));
  for (const [, prefix = "", first = "", last = ""] of text.matchAll(RANGE))
    for (let at = Number(first); at <= Math.min(Number(last), Number(first) + MAX_RANGE); at += 1)
      ids.add(`${prefix}${String(at).padStart(first.length, "0")}`.toLowerCase());
  return { ids, words: comparableTitle(text) };
}

/** The parts of the section about milestones; without one, the headings that are milestones. */
function milestonesOf(sections: readonly Section[]): Milestone[] {
  const at = sections.findIndex(({ title, isHeading }) => isHeading && TITLE.test(unnumbered(title)));
  const about = sections[at];
  if (about === undefined) return unitsOf(sections, ({ title, isHeading }) => isHeading && isMilestone(title));
  const next = sections.findIndex(({ level }, index) => index > at && level <= about.level);
  const below = sections.slice(at + 1, next === -1 ? undefined : next);
  const level = Math.min(...below.map((section) => section.level));
  return below.length > 0 ? unitsOf(below, (section) => section.level === level) : listed(about);
}

/** The sections that begin a milestone, each with the text below it. */
function unitsOf(sections: readonly Section[], begins: (section: Section) => boolean): Milestone[] {
  return sections.flatMap((section, index) => {
    if (!begins(section)) return [];
    const next = sections.findIndex((other, at) => at > index && other.level <= section.level);
    const own = sections.slice(index, next === -1 ? undefined : next);
    return { name: section.title, text: own.flatMap((one) => [one.title, ...one.items.map(textOf)]).join("\n") };
  });
}

/** The rows or outermost items of a section, each with the items below it. */
function listed({ items }: Section): Milestone[] {
  const indents = items.flatMap((item) => (item.kind === "box" || item.kind === "bullet" ? item.indent : []));
  const outer = Math.min(...indents);
  const found: Milestone[] = [];
  for (const item of items) {
    const text = textOf(item);
    const last = found.at(-1);
    if (last !== undefined && (item.kind === "text" || (item.kind !== "row" && item.indent > outer)))
      last.text += `\n${text}`;
    else found.push({ name: nameOf(text, found.length + 1), text });
  }
  return found;
}

/** The words of a milestone in front of what it holds: "M1: Walking skeleton – FR-1, FR-2". */
function nameOf(text: string, number: number): string {
  const [first = text] = mentionedIds(text);
  const head = first === text ? text : text.slice(0, text.indexOf(first));
  const [name = ""] =
    /^(?:(?:M|Milestone |Phase )\d+\W{0,3})?[^:–—(|;.]{2,60}/i.exec(head.replace(/\s*\|\s*/, ": ")) ?? [];
  return name.replace(/[\s\W]+$/, "") || `Milestone ${number}`;
}

function textOf(item: Section["items"][number]): string {
  return item.kind === "row" ? rowText(item) : plainTitle(item.text);
}
