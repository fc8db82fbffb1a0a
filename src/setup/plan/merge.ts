import { parseBox } from "../../core/text/markdown-blocks.ts";
import { type Box, readBoxes, readSpecPath } from "./boxes.ts";
import { findBoxes } from "./find-boxes.ts";
import { insert } from "./insert.ts";
import { boxText, comparableTitle, idOfBox, isOfTracker, PART_OF, type Task } from "./task.ts";
import { hasDocumentChanged, updateBox } from "./update-box.ts";

/** A plan with merged tasks, and the changes that this made. */
export type MergeResult = {
  text: string;
  added: Task[];
  updated: Task[];
  /** Open tasks that changed in the document but keep the user's own words. */
  kept: Task[];
  /** Ticked tasks that changed in the document. */
  doneBefore: Task[];
  /** The words of open boxes that the document no longer names. */
  left: string[];
  unchanged: number;
};

/**
 * Merges tasks into a plan. Removes and unticks nothing.
 * - A known task (see `findBoxes`) keeps its place and its tick; its text follows the document, except for the user's
 * edits (see `updateBox`).
 * - A new task goes to the end of its section.
 * - An issue that was planned in parts counts as known, and new parts of a known issue go below it.
 */
export function mergePlan(plan: string, tasks: readonly Task[]): MergeResult {
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const lines = plan.replace(/\s+$/, "").split(/\r\n|\n|\r/);
  const wanted = distinct(tasks);
  const boxes = asNamed(readBoxes(plan, lines), lines, wanted);
  const found = findBoxes(boxes, wanted);
  const left = leftBehind(boxes, wanted, found).map(({ line }) => parseBox(lines[line] ?? "")?.text.trim() ?? "");
  const merged: MergeResult = { text: plan, added: [], updated: [], kept: [], doneBefore: [], left, unchanged: 0 };
  const inParts = new Set(boxes.flatMap(({ partOf }) => partOf ?? []));
  for (const task of wanted)
    if (found.has(task)) continue;
    else if (task.id !== null && inParts.has(task.id.toLowerCase())) merged.unchanged += 1;
    else merged.added.push(task);
  // From the end: no change moves a line that is still to be changed.
  for (const [task, box] of [...found].sort(([, a], [, b]) => b.line - a.line)) {
    const { count, lines: words, isKept } = updateBox(lines, box, task);
    const isChanged = lines.slice(box.line, box.line + count).join("\n") !== words.join("\n");
    lines.splice(box.line, count, ...words);
    if (isChanged) merged.updated.unshift(task);
    else merged.unchanged += 1;
    if (box.done && hasDocumentChanged(task, box)) merged.doneBefore.unshift(task);
    else if (isKept) merged.kept.unshift(task);
  }
  if (merged.added.length > 0) insert(lines, merged.added);
  if (merged.added.length + merged.updated.length > 0) merged.text = `${lines.join(end)}${end}`;
  return merged;
}

/**
 * The boxes, read as the tasks would be written: where a task has these words and no id they are all title ("2.1: …",
 * "[front-end] …"), and a tracker's id may be one that no box shows by itself ("Shop-a3f: …").
 */
function asNamed(boxes: readonly Box[], lines: readonly string[], tasks: readonly Task[]): Box[] {
  const all = tasks.flatMap((task) => (task.was ? [task, task.was] : [task]));
  const titles = new Set(all.flatMap(({ id, title }) => (id === null ? [comparableTitle(title)] : [])));
  const hidden = [...new Set(all.flatMap(({ id }) => id ?? []))].flatMap((id) => {
    const written = boxText({ id, title: "x" });
    return idOfBox(written) === id ? [] : { id, before: written.slice(0, -1).toLowerCase() };
  });
  return boxes.map((box) => {
    const words = parseBox(lines[box.line] ?? "")?.text.trim() ?? "";
    const title = comparableTitle(words);
    if (titles.has(title)) return { ...box, id: null, title };
    const named = hidden.find(({ before }) => words.toLowerCase().startsWith(before));
    return named === undefined
      ? box
      : { ...box, id: named.id, title: comparableTitle(words.slice(named.before.length)) };
  });
}

/** The open boxes that came from the document of these tasks, and match none of them. */
function leftBehind(boxes: readonly Box[], tasks: readonly Task[], found: ReadonlyMap<Task, Box>): Box[] {
  const known = new Set(found.values());
  const files = new Set(tasks.flatMap(({ details }) => readSpecPath(details) ?? []));
  return boxes.filter((box) => !box.done && !known.has(box) && box.spec !== null && files.has(box.spec));
}

/**
 * Tasks without repetitions. A tracker's id is unique; another id counts with its title, since a requirement may be
 * done in several steps; without an id the title within its group, and within the task over it, counts. What is open once is open.
 */
export function distinct(tasks: readonly Task[]): Task[] {
  const ids = new Map<string, number>();
  const titles = new Map<string, number>();
  const kept: Task[] = [];
  for (const task of tasks) {
    const { id, title, group = "", details } = task;
    const words = comparableTitle(title);
    const key = id === null || isOfTracker(id) ? `${id}`.toLowerCase() : `${id.toLowerCase()}\n${words}`;
    const part = details.find((line) => line.startsWith(PART_OF)) ?? "";
    const named = [words, group, part].map(comparableTitle).join("\n");
    const known = id === null ? titles.get(named) : ids.get(key);
    const place = known ?? kept.length;
    if (known === undefined) kept.push(task);
    else if (kept[known]?.done === true && !task.done) kept[known] = task;
    if (!titles.has(named)) titles.set(named, place);
    if (id !== null && !ids.has(key)) ids.set(key, place);
  }
  return kept;
}
