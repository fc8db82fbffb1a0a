import { mentionedIds } from "../../plan/requirement-id.ts";
import { comparableTitle, type Task } from "../../plan/task.ts";
import { plainTitle } from "../formats/inline.ts";
import type { Section } from "./outline.ts";
import { isMilestone, unnumbered } from "./section-kind.ts";
import { rowText } from "./table-task.ts";

/** A step of the order of work, and everything that the document says of it. */
type Milestone = { name: string; text: string };

const TITLE =
  /^(?:(?:project|product|delivery|release|rollout|implementation) )?(?:milestones?|roadmap|phases|stages|order of work|(?:release|delivery|rollout) plan)(?=$|\s*[(:,&–—-]|\s(?:and|for|of)\b)/i;
/** "FR-1 to FR-5", "FR-1–5". */
const RANGE = /([A-Z][A-Z0-9_-]{0,30}[-_])(\d{1,4})\s*(?:–|—|-|to|\.{2,3}|…)\s*(?:\1)?(\d{1,4})\b/g;
const MAX_RANGE = 200;

/**
 * Puts tasks in the order of the milestones that name them, by id or by title: those of the first are high, later ones
 * medium, since a plan's sections are worked through in turn. Other tasks keep their place behind them.
 */
export function inMilestoneOrder(tasks: readonly Task[], sections: readonly Section[]): Task[] {
  const milestones = milestonesOf(sections);
  const ranks = new Map<string, number>();
  for (const [rank, { text }] of milestones.entries())
    for (const name of namesIn(text)) if (!ranks.has(name)) ranks.set(name, rank);
  const ranked = tasks.map((task): { task: Task; rank: number } => {
    const parts = (task.id ?? "").toLowerCase().split(".");
    const names = [...parts.map((_, at) => parts.slice(0, at + 1).join(".")), nameOf(task.title)];
    const rank = Math.min(...names.map((name) => ranks.get(name) ?? milestones.length));
    const name = milestones[rank]?.name;
    if (name === undefined) return { task, rank };
    const group = task.group === undefined || task.group === name ? name : `${name} / ${task.group}`;
    const priority = task.priority === "optional" ? "optional" : rank === 0 ? "high" : "medium";
    return { task: { ...task, group, priority }, rank };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ task }) => task);
}

/** The ids and titles that a text names, for comparison. */
function namesIn(text: string): Set<string> {
  const names = new Set(mentionedIds(text).map((id) => id.toLowerCase()));
  for (const [, prefix = "", first = "", last = ""] of text.matchAll(RANGE))
    for (let at = Number(first); at <= Math.min(Number(last), Number(first) + MAX_RANGE); at += 1)
      names.add(`${prefix}${String(at).padStart(first.length, "0")}`.toLowerCase());
  for (const line of text.split("\n"))
    for (const title of [line, ...line.split(/[:,;|–—]|\sand\s/)]) names.add(nameOf(title));
  names.delete("");
  return names;
}

function nameOf(title: string): string {
  return comparableTitle(title.replace(/\s*\([^()]*\)\s*$/, ""));
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
  const found: (Milestone & { lines: string[] })[] = [];
  let level: number | null = null;
  for (const section of sections) {
    if (begins(section)) {
      found.push({ name: section.title, text: "", lines: [] });
      level = section.level;
    } else if (level === null || section.level <= level) level = null;
    if (level !== null) found.at(-1)?.lines.push(section.title, ...section.items.map(textOf));
  }
  return found.map(({ name, lines }) => ({ name, text: lines.join("\n") }));
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
    else found.push({ name: headOf(text, found.length + 1), text });
  }
  return found;
}

/** The words of a milestone in front of what it holds: "M1: Walking skeleton – FR-1, FR-2". */
function headOf(text: string, number: number): string {
  const [first = text] = mentionedIds(text);
  const head = first === text ? text : text.slice(0, text.indexOf(first));
  const [name = ""] =
    /^(?:(?:M|Milestone |Phase )\d+\W{0,3})?[^:–—(|;.]{2,60}/i.exec(head.replace(/\s*\|\s*/, ": ")) ?? [];
  return name.replace(/[\s\W]+$/, "") || `Milestone ${number}`;
}

function textOf(item: Section["items"][number]): string {
  return item.kind === "row" ? rowText(item) : plainTitle(item.text);
}
