import { visibleLines } from "../../core/markdown-lines.ts";
import { headingsOf } from "./headings.ts";
import { insert } from "./insert.ts";
import { boxText, comparableTitle, idOfBox, isOfTracker, type Task, titleOfBox } from "./task.ts";

/** A plan with tasks merged into it, and what that did. */
export type Merged = { text: string; added: Task[]; updated: Task[]; unchanged: number };

const BOX = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ \t\u00a0xX])(\](?![([])\s*)(.*)$/;

type Box = { line: number; id: string | null; title: string; done: boolean; group: string | null };

/** The line below a box that names the place in the specs. */
const SPEC = /^\s+(?:>\s*)?Spec: \S/;

/**
 * Merges tasks into a plan: one that is there by its id, else by its title, keeps its place and its tick and gets a new
 * text where that changed, and a new place in the specs; a new one goes to the end of its section. Nothing is taken away and
 * nothing unticked.
 */
export function mergePlan(plan: string, tasks: readonly Task[]): Merged {
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const lines = plan.replace(/\s+$/, "").split(/\r\n|\n|\r/);
  const boxes = boxesOf(plan, lines);
  const merged: Merged = { text: plan, added: [], updated: [], unchanged: 0 };
  const fresh: Task[] = [];
  const wanted = distinct(tasks);
  const found = matched(boxes, wanted);
  for (const task of wanted) {
    const box = found.get(task);
    if (box === undefined) {
      fresh.push(task);
      continue;
    }
    const line = lines[box.line] ?? "";
    const next = updatedLine(line, task, box);
    const moved = updateSpec(lines, box.line, task);
    if (next === line && !moved) merged.unchanged += 1;
    else merged.updated.push(task);
    lines[box.line] = next;
  }
  if (fresh.length > 0) insert(lines, fresh);
  merged.added = fresh;
  if (merged.added.length + merged.updated.length > 0) merged.text = `${lines.join(end)}${end}`;
  return merged;
}

/** Tasks without repetitions: the first of an id, or of a title within a group where there is no id. */
export function distinct(tasks: readonly Task[]): Task[] {
  const ids = new Set<string>();
  const titles = new Set<string>();
  return tasks.filter(({ id, title, group = "" }) => {
    const comparable = `${comparableTitle(title)}\n${comparableTitle(group)}`;
    const isKnown = id === null ? titles.has(comparable) : ids.has(id.toLowerCase());
    titles.add(comparable);
    if (id !== null) ids.add(id.toLowerCase());
    return !isKnown;
  });
}

function boxesOf(plan: string, lines: readonly string[]): Box[] {
  const headings = headingsOf(lines);
  let next = 0;
  let group: string | null = null;
  return visibleLines(plan).flatMap(({ number, text }) => {
    for (; next < headings.length && (headings[next]?.line ?? 0) < number; next += 1) {
      const heading = headings[next];
      group = heading !== undefined && heading.level > 2 ? comparableTitle(heading.title) : null;
    }
    const match = BOX.exec(text);
    if (match === null) return [];
    const words = match[4] ?? "";
    return [
      {
        line: number - 1,
        id: idOfBox(words),
        title: comparableTitle(titleOfBox(words)),
        done: /x/i.test(match[2] ?? ""),
        group,
      },
    ];
  });
}

/**
 * The box of each task that has one. By id first, then by title in the same group, then by title: groups are renamed. By title
 * only a box whose id no other task has; and what two trackers' ids name are two things, while a requirement or story may have
 * been numbered anew.
 */
function matched(boxes: readonly Box[], tasks: readonly Task[]): Map<Task, Box> {
  const found = new Map<Task, Box>();
  const taken = new Set<Box>();
  const ids = new Set(tasks.flatMap(({ id }) => id?.toLowerCase() ?? []));
  const isNamed = (box: Box, { id }: Task) =>
    box.id === null || (!ids.has(box.id.toLowerCase()) && (id === null || !isOfTracker(id) || !isOfTracker(box.id)));
  const byId = Map.groupBy(boxes, ({ id }) => id?.toLowerCase() ?? "");
  const byTitle = Map.groupBy(boxes, ({ title }) => title);
  const titled = (task: Task) =>
    (byTitle.get(comparableTitle(task.title)) ?? []).filter((box) => box.title !== "" && isNamed(box, task));
  const ways: readonly ((task: Task) => readonly Box[])[] = [
    ({ id }) => (id === null ? [] : (byId.get(id.toLowerCase()) ?? [])),
    (task) =>
      titled(task).filter(({ group }) => group === (task.group === undefined ? null : comparableTitle(task.group))),
    titled,
  ];
  for (const way of ways) {
    for (const task of tasks) {
      const box = found.has(task) ? undefined : way(task).find((one) => !taken.has(one));
      if (box === undefined) continue;
      found.set(task, box);
      taken.add(box);
    }
  }
  return found;
}

function updatedLine(line: string, task: Task, box: Box): string {
  const [, head = "", mark = " ", gap = "] ", words = ""] = BOX.exec(line) ?? [];
  const ticked = task.done && !box.done ? "x" : mark;
  const isSame =
    comparableTitle(titleOfBox(words)) === comparableTitle(task.title) &&
    (task.id === null || idOfBox(words) === task.id);
  return `${head}${ticked}${gap}${isSame ? words : boxText(task)}`;
}

/** Puts the place in the specs right, if the box names one; whether that changed anything. */
function updateSpec(lines: string[], box: number, { details }: Task): boolean {
  const wanted = details.find((line) => line.startsWith("Spec: "));
  for (let at = box + 1; wanted !== undefined && at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!/^\s+\S/.test(line) || BOX.test(line)) return false;
    if (!SPEC.test(line)) continue;
    const next = line.replace(/Spec: .*$/, () => wanted);
    lines[at] = next;
    return next !== line;
  }
  return false;
}
