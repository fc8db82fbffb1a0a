/** The tasks of a plan and what each waits for. */
import type { ParsedPlan } from "../plan/fix-plan.ts";

/** A task as a plan, or another tool's list, has it. */
export type ListedTask = {
  /** How the list itself names it, as in `T001`; null if it has no name. */
  name: string | null;
  text: string;
  /** Title of the epic or section that it belongs to. */
  section: string | null;
  done: boolean;
  /** It does not block "done". */
  optional: boolean;
  /**
   * Names of tasks, their numbers in the list, or the beginnings of their words; as numbers: their places in the list, from 0; null
   * where the list says nothing.
   */
  after: readonly (string | number)[] | null;
  /** Why nobody is to work on it now, in the list's own words such as `deferred`. */
  held?: string;
  /** Markdown that describes it, as the lines below its box. */
  details?: readonly string[];
};

export type WorkTask = Omit<ListedTask, "after"> & {
  /** First 12 hex digits of the SHA-256 of its words and its section: the same in every clone, and after other tasks moved. */
  id: string;
  /** Ids of the tasks that it waits for. */
  after: readonly string[];
};

export type TaskGraph = {
  tasks: readonly WorkTask[];
  /** What is wrong with the dependencies, in sentences: a name that no task has, or a circle. */
  faults: readonly string[];
};

const ID_DIGITS = 12;
export const TASK_ID = new RegExp(`^[0-9a-f]{${ID_DIGITS}}$`);
/** ` (after: 2, "words of a task")` or ` after: T001` at the end of a box's line. */
const AFTER = /(?:\s+\(after:\s*([^()]*)\)|\s+after:\s*(\S.*))\s*$/i;
/** Between them: a comma outside quotes. */
const NAME = /\s*"([^"]+)"|([^,]+)/g;

/** The boxes of a plan as tasks. `after:` stays in the text that an agent reads: it is cut here only. */
export function listedInPlan({ boxes }: Pick<ParsedPlan, "boxes">): ListedTask[] {
  return boxes.map(({ text, section, isDone, optional }) => {
    return { ...boxWords(text), section, done: isDone, optional };
  });
}

/** What the words of a box say: what its task is called, what it is, and what it waits for. */
export function boxWords(text: string): Pick<ListedTask, "name" | "text" | "after"> {
  const found = AFTER.exec(text);
  const names = found === null ? null : namesIn(found[1] ?? found[2] ?? "");
  const words = found === null ? text : text.slice(0, found.index);
  return { name: nameIn(words), text: words, after: names };
}

/** The places, from 0, of the tasks that one says it waits for; names that no task has are left out. */
export function saidPlaces(list: readonly ListedTask[], own: number): number[] {
  return (list[own]?.after ?? []).flatMap((name) =>
    typeof name === "number" ? name : (placeOf(list, name, own) ?? []),
  );
}

/**
 * A task's words with what it waits for behind them, named so that the names still fit when tasks are moved.
 * @param places of the others, from 0; none takes it away
 * @returns null if no words say it
 */
export function withAfter(list: readonly ListedTask[], own: number, places: readonly number[]): string | null {
  const task = list[own];
  if (task === undefined || places.length === 0) return task?.text.trim() ?? null;
  const names = places.map((place) => {
    const { name = null, text = "" } = list[place] ?? {};
    const beginning = (/^[^()"]*/.exec(text)?.[0] ?? "").trim();
    const fits = [name ?? "", beginning, String(place + 1)].find(
      (one) => one !== "" && placeOf(list, one, own) === place,
    );
    return fits === undefined || /^[\w.-]+$/.test(fits) ? fits : `"${fits}"`;
  });
  const words = `${task.text.trim()} (after: ${names.join(", ")})`;
  // Words that say something of that kind themselves may be read otherwise.
  const read = saidPlaces(list.with(own, { ...task, ...boxWords(words) }), own);
  return read.join() === places.join() ? words : null;
}

function namesIn(list: string): string[] {
  return [...list.matchAll(NAME)].map(([, quoted, bare = ""]) => (quoted ?? bare).trim()).filter((name) => name !== "");
}

/** A number or an id that a task's words begin with: `2.1 Add …`, `T001: …`, `**Story 1.2**: …`. */
function nameIn(text: string): string | null {
  return /^\W{0,4}(?:(?:task|story|step)\s+)?([A-Z]{0,5}-?\d+(?:\.\d+){0,3})[.:)*\]\s]/i.exec(text)?.[1] ?? null;
}

/**
 * What each task waits for. If any task says it, only what is said counts. Otherwise the tasks of a section go one after the
 * other, and sections side by side; in a list with tasks in fewer than two sections nothing waits.
 * @param hash SHA-256 of a text in hex digits
 */
export function taskGraph(list: readonly ListedTask[], hash: (text: string) => string): TaskGraph {
  const seen = new Map<string, number>();
  const ids = list.map(({ section, text }) => {
    const words = JSON.stringify([section ?? "", text]);
    const nth = (seen.get(words) ?? 0) + 1;
    seen.set(words, nth);
    return hash(nth === 1 ? words : `${words}${nth}`).slice(0, ID_DIGITS);
  });
  const faults: string[] = [];
  const saysAfter = list.some(({ after }) => after !== null);
  const places = saysAfter ? namedPlaces(list, faults) : placesInSections(list);
  const tasks = list.map(({ after: _, ...task }, at) => ({
    ...task,
    id: ids[at] ?? "",
    after: [...new Set(places[at])].flatMap((place) => ids[place] ?? []),
  }));
  return { tasks, faults: [...faults, ...circles(tasks)] };
}

/** For each task the places of those that it names. */
function namedPlaces(list: readonly ListedTask[], faults: string[]): number[][] {
  return list.map(({ after, text, done }, at) =>
    (after ?? []).flatMap((name) => {
      const place = typeof name === "number" ? name : placeOf(list, name, at);
      if (place === null && !done)
        faults.push(`The task "${text}" waits for "${name}", which is no other task of the plan.`);
      return place ?? [];
    }),
  );
}

function placeOf(list: readonly ListedTask[], name: string, own: number): number | null {
  const wanted = name.toLowerCase();
  const tests: ((task: ListedTask, at: number) => boolean)[] = [
    (task) => task.name?.toLowerCase() === wanted,
    (_, at) => String(at + 1) === wanted,
    ({ text }) => text.toLowerCase() === wanted,
    ({ text }) => text.toLowerCase().startsWith(wanted),
  ];
  for (const test of tests) {
    const place = list.findIndex((task, at) => at !== own && test(task, at));
    if (place !== -1) return place;
  }
  return null;
}

function placesInSections(list: readonly ListedTask[]): number[][] {
  const sections = new Set(list.map(({ section }) => section));
  if (sections.size < 2) return [];
  const last = new Map<string | null, number>();
  return list.map(({ section }, at) => {
    const before = last.get(section);
    last.set(section, at);
    return before === undefined ? [] : [before];
  });
}

/** A sentence for a circle of open tasks that wait for each other. */
function circles(tasks: readonly WorkTask[]): string[] {
  const waiting = new Map(tasks.flatMap((task) => (task.done ? [] : [[task.id, task]])));
  for (let size = -1; size !== waiting.size; ) {
    size = waiting.size;
    for (const [id, { after }] of waiting) if (!after.some((other) => waiting.has(other))) waiting.delete(id);
  }
  const [first] = [...waiting.values()];
  return first === undefined ? [] : [`The task "${first.text}" waits for itself, by way of what it waits for.`];
}
