import { uncommented } from "../foreign-text.ts";
import { BOX, type Box, boxesOf, specLineOf } from "./boxes.ts";
import { insert } from "./insert.ts";
import { matched } from "./match.ts";
import { boxText, comparableTitle, idOfBox, isOfTracker, type Task, titleOfBox } from "./task.ts";

/** A plan with tasks merged into it, and what that did. */
export type Merged = {
  text: string;
  added: Task[];
  updated: Task[];
  /** Of those that were brought up to date, what is ticked and says something else now. */
  doneBefore: Task[];
  unchanged: number;
};

/**
 * Merges tasks into a plan: one that is there (see `matched`) keeps its place and its tick and gets a new text where that
 * changed in its document, with a new place in the specs, and the lines below it as far as nobody changed those; a new one goes
 * to the end of its section. An issue that was planned in parts is
 * there, and the parts of one that is there go below it. Nothing is taken away and nothing unticked.
 */
export function mergePlan(plan: string, tasks: readonly Task[]): Merged {
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const lines = plan.replace(/\s+$/, "").split(/\r\n|\n|\r/);
  const boxes = boxesOf(plan, lines);
  const merged: Merged = { text: plan, added: [], updated: [], doneBefore: [], unchanged: 0 };
  const fresh: Task[] = [];
  const changes: LineChange[] = [];
  const wanted = distinct(tasks);
  const found = matched(boxes, wanted);
  const inParts = new Set(boxes.flatMap(({ partOf }) => partOf ?? []));
  for (const task of wanted) {
    const box = found.get(task);
    if (box === undefined && task.id !== null && inParts.has(task.id.toLowerCase())) merged.unchanged += 1;
    else if (box === undefined) {
      fresh.push(task);
    } else {
      const line = lines[box.line] ?? "";
      const next = updatedLine(line, task, box);
      const moved = updateSpec(lines, box.line, task);
      const told = newDetails(lines, box.line, task);
      if (next === line && !moved && told === null) merged.unchanged += 1;
      else merged.updated.push(task);
      if (told !== null && box.done) merged.doneBefore.push(task);
      lines[box.line] = next;
      if (told !== null) changes.push(told);
    }
  }
  for (const { at, count, with: words } of changes.toSorted((a, b) => b.at - a.at)) lines.splice(at, count, ...words);
  if (fresh.length > 0) insert(lines, fresh);
  merged.added = fresh;
  if (merged.added.length + merged.updated.length > 0) merged.text = `${lines.join(end)}${end}`;
  return merged;
}

/**
 * Tasks without repetitions: the first of a tracker's id, else of an id with a title, since a requirement may be done in
 * several steps, or of a title within a group where there is no id.
 */
export function distinct(tasks: readonly Task[]): Task[] {
  const ids = new Set<string>();
  const titles = new Set<string>();
  return tasks.filter(({ id, title, group = "" }) => {
    const words = comparableTitle(title);
    const key = id === null || isOfTracker(id) ? `${id}`.toLowerCase() : `${id.toLowerCase()}\n${words}`;
    const isKnown = id === null ? titles.has(`${words}\n${comparableTitle(group)}`) : ids.has(key);
    titles.add(`${words}\n${comparableTitle(group)}`);
    if (id !== null) ids.add(key);
    return !isKnown;
  });
}

function updatedLine(line: string, task: Task, box: Box): string {
  const [, head = "", mark = " ", gap = "] ", words = ""] = BOX.exec(line) ?? [];
  const ticked = task.done && !box.done ? "x" : mark;
  const isSame =
    comparableTitle(titleOfBox(words)) === comparableTitle(task.title) &&
    (task.id === null || idOfBox(words) === task.id);
  // Where the document says what it said, other words are a person's.
  const isTheirs = task.was !== undefined && comparableTitle(task.was.title) === comparableTitle(task.title);
  return `${head}${ticked}${gap}${isSame || (isTheirs && idOfBox(words) === task.id) ? words : boxText(task)}`;
}

/** So many lines from one on, and what comes in their place. */
type LineChange = { at: number; count: number; with: string[] };

/** What is told below a box, if the document tells something else now, and what it told before stands there as it was. */
function newDetails(lines: readonly string[], box: number, { details, was }: Task): LineChange | null {
  const isTold = (line: string) => !line.startsWith("Spec: ");
  const [before, now] = [was?.details ?? details, details].map((all) => all.filter(isTold).map(uncommented)) as [
    string[],
    string[],
  ];
  if (before.join("\n") === now.join("\n")) return null;
  const indent = /^(\s+)> /.exec(lines[box + 1] ?? "")?.[1] ?? "  ";
  const isThere = before.every((line, index) => lines[box + 1 + index] === `${indent}> ${line}`);
  return isThere ? { at: box + 1, count: before.length, with: now.map((line) => `${indent}> ${line}`) } : null;
}

/** Puts the place in the specs right, if the box names one; whether that changed anything. */
function updateSpec(lines: string[], box: number, { details }: Task): boolean {
  const wanted = details.find((line) => line.startsWith("Spec: "));
  const at = wanted === undefined ? null : specLineOf(lines, box);
  if (wanted === undefined || at === null) return false;
  const line = lines[at] ?? "";
  const next = line.replace(/Spec: .*$/, () => wanted);
  lines[at] = next;
  return next !== line;
}
