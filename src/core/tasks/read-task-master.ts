/**
 * `tasks.json` of Task Master (eyaltoledano/claude-task-master, scripts/modules/task-manager, as of April 2026): lists by tag, or the
 * older `{"tasks": [...]}`. A task with subtasks is done by way of them: each is a task here, `5.2`; they wait for what their task
 * waits for, and who waits for it waits for all of them. `pending` and `in-progress` may be worked on, as in its `next`.
 */
import { isRecord, jsonIn, str } from "../json-value.ts";
import type { JsonPositions } from "../text/json-positions.ts";
import { memberEdit, type TextEdit } from "../text/text-edits.ts";
import {
  idOf,
  idsIn,
  placesNamed,
  positionsIn,
  quoted,
  type ReadList,
  type ReadOptions,
  type ReadTask,
  titleLine,
} from "./read-task.ts";

type Fields = Record<string, unknown>;
type Path = readonly (string | number)[];
/** A task or subtask, with the path of its object. */
type Item = { fields: Fields; path: Path; id: string; title: string };
type TagList = { tag: string | null; tasks: Item[] };
/** What is worked on: a subtask, or a task without any. */
type Work = Item & { of: { item: Item; parts: readonly Item[] } | null };

const DONE = /^(?:done|completed)$/i;
const FREE = /^(?:pending|in-progress)$/i;
const URGENCY = ["high", "medium", "low"];

export function isTaskMaster(text: string): boolean {
  return listsIn(text).some(({ tasks }) => tasks.length > 0);
}

export function readTaskMaster(text: string, { tag }: Pick<ReadOptions, "tag">): ReadList {
  const lists = listsIn(text).filter(({ tasks }) => tasks.length > 0);
  const wanted = tag ?? "master";
  const list = lists.find((one) => one.tag === wanted) ?? (tag === null && lists.length === 1 ? lists[0] : undefined);
  if (list === undefined) {
    const tags = lists.map((one) => one.tag ?? "").join(", ");
    return { tasks: [], faults: [`The list has no tasks with the tag ${wanted}; its tags are: ${tags}.`] };
  }
  const urgent = list.tasks.toSorted((a, b) => urgencyOf(a) - urgencyOf(b));
  const work = urgent.flatMap((item): Work[] => {
    const parts = partsOf(item);
    return parts.length === 0 ? [{ ...item, of: null }] : parts.map((part) => ({ ...part, of: { item, parts } }));
  });
  const faults: string[] = [];
  const places = placesOf(work);
  const positions = positionsIn(text);
  const tasks = work.map((item): ReadTask => {
    const task = { text: `Task ${item.id}: ${item.title}`, done: isDone(item) };
    const held = heldBy(item);
    return {
      name: item.id,
      ...task,
      section: item.of?.item.title ?? null,
      optional: false,
      after: placesNamed(namedBy(item), task, places, faults),
      ...(held === null ? {} : { held }),
      details: detailsOf(item),
      edits: task.done ? [] : doneEdits(text, positions, item),
    };
  });
  return { tasks, faults };
}

/** The tag that Task Master works on, by its `.taskmaster/state.json`; null if that says none. */
export function tagIn(state: string): string | null {
  const root = jsonIn(state);
  const tag = isRecord(root) ? str(root.currentTag) : null;
  return tag === "" ? null : tag;
}

/** The lists of a document by their tags; null is the only one of an older document. */
function listsIn(text: string): TagList[] {
  const root = jsonIn(text);
  if (!isRecord(root)) return [];
  if (Array.isArray(root.tasks)) return [{ tag: null, tasks: itemsIn(root.tasks, ["tasks"], "") }];
  return Object.entries(root).flatMap(([tag, list]) =>
    isRecord(list) && Array.isArray(list.tasks) ? [{ tag, tasks: itemsIn(list.tasks, [tag, "tasks"], "") }] : [],
  );
}

/** @param before what their ids begin with: `5.` for the parts of 5 */
function itemsIn(list: unknown, path: Path, before: string): Item[] {
  return (Array.isArray(list) ? list : []).flatMap((fields: unknown, at): Item[] => {
    if (!isRecord(fields)) return [];
    const [id, title] = [idOf(fields.id), titleLine(str(fields.title) ?? "")];
    // What is no task of Task Master has neither a status nor what it depends on; whose part it is, is known.
    const isTask = before !== "" || typeof fields.status === "string" || Array.isArray(fields.dependencies);
    return id === null || title === "" || !isTask
      ? []
      : [{ fields, path: [...path, at], id: fullId(id, before), title }];
  });
}

function partsOf(item: Item): Item[] {
  return itemsIn(item.fields.subtasks, [...item.path, "subtasks"], `${item.id}.`);
}

function fullId(id: string, before: string): string {
  return id.includes(".") ? id : `${before}${id}`;
}

/** The places that stand for an id: its own, or those of all its parts. */
function placesOf(work: readonly Work[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { id, of }] of work.entries()) {
    for (const name of of === null ? [id] : [id, of.item.id]) places.set(name, [...(places.get(name) ?? []), place]);
  }
  return places;
}

/** A number in a subtask's list is one of its siblings. */
function namedBy({ id, fields, of }: Work): string[] {
  if (of === null) return idsIn(fields.dependencies ?? []);
  const own = idsIn(fields.dependencies ?? []).map((name) => fullId(name, `${of.item.id}.`));
  // A part that waits for its own task would wait for itself.
  return [...own.filter((name) => name !== id), ...idsIn(of.item.fields.dependencies ?? [])];
}

function isDone({ fields, of }: Work): boolean {
  return DONE.test(statusOf(fields)) || (of !== null && DONE.test(statusOf(of.item.fields)));
}

function heldBy({ fields, of }: Work): string | null {
  const statuses = [statusOf(fields), ...(of === null ? [] : [statusOf(of.item.fields)])];
  return statuses.find((status) => !FREE.test(status) && !DONE.test(status)) ?? null;
}

function statusOf({ status }: Fields): string {
  return titleLine(str(status) ?? "") || "pending";
}

function urgencyOf({ fields }: Item): number {
  const rank = URGENCY.indexOf(str(fields.priority)?.toLowerCase() ?? "");
  return rank === -1 ? URGENCY.indexOf("medium") : rank;
}

function detailsOf({ fields, of }: Work): string[] {
  return [
    ...quoted(null, fields.description),
    ...quoted("Details", fields.details),
    ...quoted("Test strategy", fields.testStrategy),
    ...(of === null ? [] : quoted(`Part of task ${of.item.id}`, of.item.title)),
    ...(of === null ? [] : quoted(null, of.item.fields.description)),
  ];
}

/** The last part that is done takes its task with it: Task Master itself would hold back whoever waits for that. */
function doneEdits(text: string, positions: JsonPositions, { path, id, of }: Work): TextEdit[] {
  const isLast = of?.parts.every((part) => part.id === id || DONE.test(statusOf(part.fields))) === true;
  const paths = of !== null && isLast ? [path, of.item.path] : [path];
  return paths.flatMap((one) => memberEdit(text, positions, one, ["status", "done"]) ?? []);
}
