/** What the readers of other tools' lists of tasks share. */
import { isRecord, str } from "../json-value.ts";
import { type JsonPositions, locateJson } from "../text/json-positions.ts";
import { plainText } from "../text/plain-text.ts";
import type { TextEdit } from "../text/text-edits.ts";
import type { ListedTask } from "./task-graph.ts";

/** A task of a list, and what makes it done in that list, as its own tool would write it. */
export type ReadTask = ListedTask & { edits: readonly TextEdit[] };

/** The tasks of a list, and what is wrong with it, in sentences. */
export type ReadList = { tasks: ReadTask[]; faults: string[] };

/** What a list does not say itself. */
export type ReadOptions = {
  /** Epoch ms. */
  now: number;
  /** Task Master's list of that name; null: its `master`, or the only one with tasks. */
  tag: string | null;
};

/**
 * What each task waits for, where one stage begins when the one before it is over: the open tasks of the nearest earlier stage that
 * has any.
 * @param stages places of tasks
 * @param before what the first of them waits for
 */
export function inStages(
  stages: readonly (readonly number[])[],
  isOpen: (place: number) => boolean,
  before: readonly number[] = [],
): { after: Map<number, readonly number[]>; end: readonly number[] } {
  const after = new Map<number, readonly number[]>();
  let end = before;
  for (const stage of stages) {
    for (const place of stage) after.set(place, end);
    const open = stage.filter(isOpen);
    if (open.length > 0) end = open;
  }
  return { after, end };
}

/** The places of the tasks that one names; a name that no task has is a fault while the one that has it is open. */
export function placesNamed(
  names: readonly string[],
  { text, done }: Pick<ListedTask, "text" | "done">,
  places: ReadonlyMap<string, readonly number[]>,
  faults: string[],
): number[] {
  const found = names.flatMap((name) => {
    const some = places.get(name);
    if (some === undefined && !done) faults.push(`The task "${text}" waits for ${name}, which is no task of the list.`);
    return some ?? [];
  });
  return [...new Set(found)];
}

/** Someone else's title on one line, which opens no comment of Markdown. */
export function titleLine(text: string): string {
  return plainText(text).replaceAll("<!--", "<! --").replace(/\s+/g, " ").trim();
}

/** A value of another tool's list as quoted lines of Markdown, in which no heading, box or fence counts; none for an empty one. */
export function quoted(label: string | null, value: unknown): string[] {
  const lines = wordsOf(value);
  const [first = ""] = lines;
  if (lines.length === 0) return [];
  if (label === null) return lines.map(quote);
  return lines.length === 1 && !first.startsWith("- ")
    ? [quote(`${label}: ${first}`)]
    : [quote(`${label}:`), ...lines.map(quote)];
}

function quote(line: string): string {
  return `> ${line}`.trimEnd();
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf).map((line) => (line.startsWith("- ") ? line : `- ${line}`));
  if (isRecord(value)) {
    const said = str(value.description) ?? str(value.title) ?? str(value.text);
    return wordsOf(said ?? JSON.stringify(value));
  }
  if (typeof value !== "string" && typeof value !== "number") return [];
  const text = plainText(String(value)).replaceAll("<!--", "<! --").trim();
  return text === "" ? [] : text.split("\n").map((line) => line.trimEnd());
}

/** An id that tools write as a word or a number; null for anything else. */
export function idOf(value: unknown): string | null {
  const id = typeof value === "number" ? String(value) : (str(value) ?? "").trim();
  return id === "" || /\s/.test(id) ? null : id;
}

/** The ids in a list of them, or in one field. */
export function idsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => idOf(one) ?? []);
}

/** Where its values stand; a byte order mark counts as a blank. */
export function positionsIn(text: string): JsonPositions {
  return locateJson(text.replace(/^\uFEFF/, " "));
}
