import { uncommented } from "../sanitize-text.ts";
import { readBoxes } from "./boxes.ts";
import { endBelow, groupsOf, type Heading, headingsOf, NOTES, ORDER, type PlanSection, SECTIONS } from "./headings.ts";
import { boxText, comparableTitle, issueOfGroup, type Task } from "./task.ts";

/** The heading for tasks without a group, after tasks with one. */
const FURTHER = "Further tasks";

/**
 * Boxes below the headings of their groups, in the order of the tasks; those without a group come first, or at the end.
 */
export function groupedLines(tasks: readonly Task[]): string[] {
  const first = tasks.findIndex(({ group }) => group !== undefined);
  const all = tasks.map((task, index) =>
    task.group === undefined && first !== -1 && index > first ? further(task) : task,
  );
  const groups = [...new Set(all.flatMap(({ group }) => group ?? []))].sort(
    (a, b) => Number(a === FURTHER) - Number(b === FURTHER),
  );
  const lines = all.filter(({ group }) => group === undefined).flatMap(taskLines);
  for (const group of groups) {
    if (lines.length > 0) lines.push("");
    lines.push(`### ${uncommented(group)}`, "", ...all.filter((task) => task.group === group).flatMap(taskLines));
  }
  return lines;
}

function further(task: Task): Task {
  return { ...task, group: FURTHER };
}

/** A box and the lines below it. */
function taskLines(task: Task): string[] {
  return [
    `- [${task.done ? "x" : " "}] ${boxText(task)}`,
    ...(task.done ? [] : task.details.map((line) => `  > ${uncommented(line)}`)),
  ];
}

/** Adds new tasks to the ends of their sections, below the headings of their groups. Changes the lines. */
export function insert(lines: string[], tasks: readonly Task[]): void {
  for (const section of ORDER) {
    const own = tasks.filter((task) => (task.done ? "completed" : task.priority) === section);
    const hasGroups = section !== "completed" && groupsOf(headingsOf(lines), section).length > 0;
    const placed = own.map((task) =>
      task.done ? withoutGroup(task) : task.group === undefined && hasGroups ? further(task) : task,
    );
    const loose = placed.filter((task) => !belowIssue(lines, task) && !intoGroup(lines, task, section));
    if (loose.length === 0) continue;
    const added = groupedLines(loose);
    const at = placeFor(lines, section);
    lines.splice(at, 0, ...(added[0]?.startsWith("#") && (lines[at - 1] ?? "") !== "" ? [""] : []), ...added);
  }
}

/** Adds a part of an issue below the issue's own box, after the existing parts. */
function belowIssue(lines: string[], task: Task): boolean {
  const issue = issueOfGroup(task.group ?? "");
  const box =
    issue === null ? undefined : readBoxes(lines.join("\n"), lines).find(({ id }) => id?.toLowerCase() === issue);
  if (box === undefined) return false;
  const indent = /^\s*/.exec(lines[box.line] ?? "")?.[0] ?? "";
  let end = box.line + 1;
  while (/^\s+\S/.test(lines[end] ?? "") && (lines[end] ?? "").startsWith(`${indent} `)) end += 1;
  lines.splice(end, 0, ...taskLines(task).map((line) => `${indent}  ${line}`));
  return true;
}

/** Adds a task below the heading of its group in its section, or in the user's own place for the group. */
function intoGroup(lines: string[], task: Task, section: PlanSection): boolean {
  if (task.group === undefined) return false;
  const wanted = comparableTitle(task.group);
  const isWanted = ({ title }: Heading) => comparableTitle(title) === wanted;
  const headings = headingsOf(lines);
  const elsewhere = new Set(ORDER.flatMap((one) => groupsOf(headings, one).map(({ line }) => line)));
  const found =
    groupsOf(headings, section).find(isWanted) ?? headings.find((one) => isWanted(one) && !elsewhere.has(one.line));
  if (found === undefined) return false;
  lines.splice(endOfSection(lines, found.line, endBelow(headings, found, lines.length)), 0, ...taskLines(task));
  return true;
}

export function withoutGroup({ group: _, ...task }: Task): Task {
  return task;
}

/** The index after the last line of a section; a missing section is created, before the next one in order. */
function placeFor(lines: string[], section: PlanSection): number {
  const headings = headingsOf(lines);
  const { match, title } = SECTIONS[section];
  const found = headings.find((heading) => match.test(heading.title));
  if (found !== undefined) return endOfSection(lines, found.line, endBelow(headings, found, lines.length));
  const later = ORDER.slice(ORDER.indexOf(section) + 1);
  const next = headings.find(
    (heading) => later.some((one) => SECTIONS[one].match.test(heading.title)) || NOTES.test(heading.title),
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

/** The index after the last line with text. Keeps or adds a blank line after the heading. */
function endOfSection(lines: string[], heading: number, end: number): number {
  let last = end - 1;
  while (last > heading && (lines[last] ?? "").trim() === "") last -= 1;
  if (last > heading) return last + 1;
  if ((lines[heading + 1] ?? null) !== "") lines.splice(heading + 1, 0, "");
  if (heading + 2 < lines.length && lines[heading + 2] !== "") lines.splice(heading + 2, 0, "");
  return heading + 2;
}
