import { parseBox } from "../../core/text/markdown-blocks.ts";
import { type Box, readBoxes, readSpecPath } from "./boxes.ts";
import { findBoxes } from "./find-boxes.ts";
import { insert } from "./insert.ts";
import { comparableTitle, isOfTracker, type Task } from "./task.ts";
import { hasDocumentChanged, updateBox } from "./update-box.ts";

/** A plan with tasks merged into it, and what that did. */
export type MergeResult = {
  text: string;
  added: Task[];
  updated: Task[];
  /** Open ones of which the document says something else than before, and which a person words in another way. */
  kept: Task[];
  /** Ticked ones of which the document says something else than before. */
  doneBefore: Task[];
  /** The words of open boxes that the document no longer names. */
  left: string[];
  unchanged: number;
};

/**
 * Merges tasks into a plan. One that is there (see `placed`) keeps its place and its tick; its words and the lines below it
 * follow the document where no person changed them (see `follow`). A new one goes to the end of its section. An issue that was
 * planned in parts is there, and the parts of one that is there go below it. Nothing is taken away and nothing unticked.
 */
export function mergePlan(plan: string, tasks: readonly Task[]): MergeResult {
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const lines = plan.replace(/\s+$/, "").split(/\r\n|\n|\r/);
  const boxes = readBoxes(plan, lines);
  const wanted = distinct(tasks);
  const found = findBoxes(boxes, wanted);
  const left = leftBehind(boxes, wanted, found).map(({ line }) => parseBox(lines[line] ?? "")?.text.trim() ?? "");
  const merged: MergeResult = { text: plan, added: [], updated: [], kept: [], doneBefore: [], left, unchanged: 0 };
  const inParts = new Set(boxes.flatMap(({ partOf }) => partOf ?? []));
  for (const task of wanted)
    if (found.has(task)) continue;
    else if (task.id !== null && inParts.has(task.id.toLowerCase())) merged.unchanged += 1;
    else merged.added.push(task);
  // From below, so that no change moves what is still to be changed.
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

/** The open boxes that came from the document of these tasks, and are none of them. */
function leftBehind(boxes: readonly Box[], tasks: readonly Task[], found: ReadonlyMap<Task, Box>): Box[] {
  const known = new Set(found.values());
  const files = new Set(tasks.flatMap(({ details }) => readSpecPath(details) ?? []));
  return boxes.filter((box) => !box.done && !known.has(box) && box.spec !== null && files.has(box.spec));
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
