import { visibleLines } from "../../core/markdown-lines.ts";
import { boxText, comparableTitle, idOfBox, isOfTracker, type Priority, type Task, titleOfBox } from "./task.ts";

/** A plan with tasks merged into it, and what that did. */
export type Merged = { text: string; added: Task[]; updated: Task[]; unchanged: number };

const BOX = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ \t\u00a0xX])(\](?![([])\s*)(.*)$/;

/** The headings of the plan's sections, and what else they may be called. */
export const SECTIONS: Readonly<Record<Priority | "completed", { title: string; match: RegExp }>> = {
  high: { title: "High Priority", match: /^(?:high(?: priority)?|critical|must have)$/i },
  medium: { title: "Medium Priority", match: /^(?:medium(?: priority)?|normal|should have)$/i },
  low: { title: "Low Priority", match: /^low(?: priority)?$/i },
  optional: { title: "Optional", match: /^(?:optional|nice to have|future(?: enhancements)?)$/i },
  completed: { title: "Completed", match: /^(?:completed|done|finished)$/i },
};
const ORDER = ["high", "medium", "low", "optional", "completed"] as const;

type Box = { line: number; id: string | null; title: string; done: boolean };

/**
 * Merges tasks into a plan: one that is there by its id, else by its title, keeps its place and its tick and gets a new
 * text where that changed; a new one goes to the end of its section. Nothing is taken away and nothing unticked.
 */
export function mergePlan(plan: string, tasks: readonly Task[]): Merged {
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const lines = plan.replace(/\s+$/, "").split(/\r\n|\n|\r/);
  const boxes = boxesOf(plan);
  const merged: Merged = { text: plan, added: [], updated: [], unchanged: 0 };
  const fresh: Task[] = [];
  const wanted = distinct(tasks);
  const ids = new Set(wanted.flatMap(({ id }) => id?.toLowerCase() ?? []));
  for (const task of wanted) {
    const box = matching(boxes, task, ids);
    if (box === null) {
      fresh.push(task);
      continue;
    }
    const line = lines[box.line] ?? "";
    const next = updatedLine(line, task, box);
    if (next === line) merged.unchanged += 1;
    else merged.updated.push(task);
    lines[box.line] = next;
    boxes.splice(boxes.indexOf(box), 1);
  }
  if (fresh.length > 0) insert(lines, fresh);
  merged.added = fresh;
  if (merged.added.length + merged.updated.length > 0) merged.text = `${lines.join(end)}${end}`;
  return merged;
}

/** Tasks without repetitions: the first of an id, or of a title where there is no id. */
export function distinct(tasks: readonly Task[]): Task[] {
  const ids = new Set<string>();
  const titles = new Set<string>();
  return tasks.filter(({ id, title }) => {
    const comparable = comparableTitle(title);
    const isKnown = id === null ? titles.has(comparable) : ids.has(id.toLowerCase());
    titles.add(comparable);
    if (id !== null) ids.add(id.toLowerCase());
    return !isKnown;
  });
}

/** Boxes below the headings of their groups; those of none come first. */
export function groupedLines(tasks: readonly Task[]): string[] {
  const groups = [...new Set(tasks.flatMap(({ group }) => group ?? []))];
  const lines = tasks.filter(({ group }) => group === undefined).flatMap(taskLines);
  for (const group of groups) {
    if (lines.length > 0) lines.push("");
    lines.push(`### ${group}`, "", ...tasks.filter((task) => task.group === group).flatMap(taskLines));
  }
  return lines;
}

/** A box and what stands below it. */
function taskLines(task: Task): string[] {
  return [
    `- [${task.done ? "x" : " "}] ${boxText(task)}`,
    ...(task.done ? [] : task.details.map((line) => `  > ${line}`)),
  ];
}

function boxesOf(plan: string): Box[] {
  return visibleLines(plan).flatMap(({ number, text }) => {
    const match = BOX.exec(text);
    if (match === null) return [];
    const words = match[4] ?? "";
    return [
      {
        line: number - 1,
        id: idOfBox(words),
        title: comparableTitle(titleOfBox(words)),
        done: /x/i.test(match[2] ?? ""),
      },
    ];
  });
}

/**
 * By id first. By title only a box whose id no other task has; and what two trackers' ids name are two things, while a
 * requirement or story may have been numbered anew.
 */
function matching(boxes: readonly Box[], { id, title }: Task, ids: ReadonlySet<string>): Box | null {
  const byId = id === null ? undefined : boxes.find((box) => box.id?.toLowerCase() === id.toLowerCase());
  if (byId !== undefined) return byId;
  const comparable = comparableTitle(title);
  const isFree = (box: Box) =>
    box.id === null || (!ids.has(box.id.toLowerCase()) && (id === null || !isOfTracker(id) || !isOfTracker(box.id)));
  return boxes.find((box) => comparable !== "" && box.title === comparable && isFree(box)) ?? null;
}

function updatedLine(line: string, task: Task, box: Box): string {
  const [, head = "", mark = " ", gap = "] ", words = ""] = BOX.exec(line) ?? [];
  const ticked = task.done && !box.done ? "x" : mark;
  const isSame =
    comparableTitle(titleOfBox(words)) === comparableTitle(task.title) &&
    (task.id === null || idOfBox(words) === task.id);
  return `${head}${ticked}${gap}${isSame ? words : boxText(task)}`;
}

function insert(lines: string[], tasks: readonly Task[]): void {
  for (const section of ORDER) {
    const own = tasks.filter((task) => (task.done ? "completed" : task.priority) === section);
    const loose = own.filter((task) => task.done || !intoGroup(lines, task));
    if (loose.length === 0) continue;
    const added = groupedLines(loose.map((task) => (task.done ? withoutGroup(task) : task)));
    const at = placeFor(lines, section);
    lines.splice(at, 0, ...(added[0]?.startsWith("#") && (lines[at - 1] ?? "") !== "" ? [""] : []), ...added);
  }
}

/** Puts a task below the heading of its group, if the plan has one. */
function intoGroup(lines: string[], task: Task): boolean {
  const headings = headingsOf(lines);
  const at = headings.findIndex(
    ({ title }) => task.group !== undefined && comparableTitle(title) === comparableTitle(task.group),
  );
  const found = headings[at];
  if (found === undefined) return false;
  const next = headings.slice(at + 1).find(({ level }) => level <= found.level);
  lines.splice(endOfSection(lines, found.line, next?.line ?? lines.length), 0, ...taskLines(task));
  return true;
}

function withoutGroup({ group: _, ...task }: Task): Task {
  return task;
}

/** The index behind the last line of a section; a missing section is made, before the next one of the order. */
function placeFor(lines: string[], section: (typeof ORDER)[number]): number {
  const headings = headingsOf(lines);
  const { match, title } = SECTIONS[section];
  const at = headings.findIndex((heading) => match.test(heading.title));
  const found = headings[at];
  if (found !== undefined) {
    const next = headings.slice(at + 1).find(({ level }) => level <= found.level);
    return endOfSection(lines, found.line, next?.line ?? lines.length);
  }
  const later = ORDER.slice(ORDER.indexOf(section) + 1);
  const next = headings.find(
    (heading) => later.some((one) => SECTIONS[one].match.test(heading.title)) || /^notes$/i.test(heading.title),
  );
  const start = next?.line ?? lines.length;
  lines.splice(
    start,
    0,
    ...(start > 0 && lines[start - 1] !== "" ? [""] : []),
    `## ${title}`,
    "",
    ...(next === undefined ? [] : [""]),
  );
  const heading = lines.indexOf(`## ${title}`, Math.max(0, start - 1));
  return heading + 2;
}

/** Behind the last line with text; a blank line after the heading is kept, or made. */
function endOfSection(lines: string[], heading: number, end: number): number {
  let last = end - 1;
  while (last > heading && (lines[last] ?? "").trim() === "") last -= 1;
  if (last > heading) return last + 1;
  if ((lines[heading + 1] ?? null) !== "") lines.splice(heading + 1, 0, "");
  if (heading + 2 < lines.length && lines[heading + 2] !== "") lines.splice(heading + 2, 0, "");
  return heading + 2;
}

function headingsOf(lines: readonly string[]): { line: number; level: number; title: string }[] {
  return visibleLines(lines.join("\n")).flatMap(({ number, text }) => {
    const match = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(text);
    const title = (match?.[2] ?? "").replace(/[*_`]/g, "").replace(/\s*:$/, "").trim();
    return match === null ? [] : [{ line: number - 1, level: match[1]?.length ?? 1, title }];
  });
}
