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

/** Makes what tells the places, from 0, of the tasks that one says it waits for; names that no task has are left out. */
export function saidPlaces(list: readonly ListedTask[]): (own: number) => number[] {
  const placeOf = createPlaces(list);
  return (own) => namedBy(list[own]?.after ?? null, own, placeOf);
}

/**
 * Makes what tells a task's words with what it waits for behind them, named so that the names still fit when tasks are moved.
 * Its `places` are those of the others, from 0; none takes it away. It returns null if no words say it.
 */
export function withAfter(list: readonly ListedTask[]): (own: number, places: readonly number[]) => string | null {
  const placeOf = createPlaces(list);
  return (own, places) => {
    const task = list[own];
    if (task === undefined || places.length === 0) return task?.text.trim() ?? null;
    const names = places.map((place) => {
      const { name = null, text = "" } = list[place] ?? {};
      const beginning = (/^[^()"]*/.exec(text)?.[0] ?? "").trim();
      const fits = [name ?? "", beginning, String(place + 1)].find((one) => one !== "" && placeOf(one, own) === place);
      return fits === undefined || /^[\w.-]+$/.test(fits) ? fits : `"${fits}"`;
    });
    const words = `${task.text.trim()} (after: ${names.join(", ")})`;
    // Words that say something of that kind themselves may be read otherwise. A task's own words are none that it can mean.
    const read = namedBy(boxWords(words).after, own, placeOf);
    return read.join() === places.join() ? words : null;
  };
}

function namedBy(after: ListedTask["after"], own: number, placeOf: ReturnType<typeof createPlaces>): number[] {
  return (after ?? []).flatMap((name) => (typeof name === "number" ? name : (placeOf(name, own) ?? [])));
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
  const placeOf = createPlaces(list);
  return list.map(({ after, text, done }, at) =>
    (after ?? []).flatMap((name) => {
      const place = typeof name === "number" ? name : placeOf(name, at);
      if (place === null && !done)
        faults.push(`The task "${text}" waits for "${name}", which is no other task of the plan.`);
      return place ?? [];
    }),
  );
}

/**
 * Makes what finds the place of the task that another one means: by its name, its number, its words, or their beginning, in this order,
 * and the first of several. Each task of a long plan may ask, so none looks at all of them.
 */
function createPlaces(list: readonly ListedTask[]): (name: string, own: number) => number | null {
  const named = Map.groupBy(list.keys(), (at) => list[at]?.name?.toLowerCase());
  const words = list.map(({ text }) => text.toLowerCase());
  let sorted: number[] | null = null;
  const beginningWith = (wanted: string): number[] => {
    const at = (index: number) => words[sorted?.[index] ?? -1] ?? "";
    sorted ??= [...words.keys()].sort((a, b) => inOrder(words[a] ?? "", words[b] ?? ""));
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (at(middle) < wanted) from = middle + 1;
      else to = middle;
    }
    while (to < sorted.length && at(to).startsWith(wanted)) to += 1;
    return sorted.slice(from, to).sort((a, b) => a - b);
  };
  /** Two of each kind are enough: one of them may be the task itself. */
  const found = new Map<string, number[]>();
  const byWords = (wanted: string): number[] => {
    const begin = beginningWith(wanted);
    return [begin.filter((at) => words[at] === wanted), begin].flatMap((places) => places.slice(0, 2));
  };
  return (name, own) => {
    const wanted = name.toLowerCase();
    const isOther = (at: number) => at !== own;
    const its = named.get(wanted)?.find(isOther);
    if (its !== undefined) return its;
    const numbered = Number(wanted) - 1;
    if (String(numbered + 1) === wanted && words[numbered] !== undefined && isOther(numbered)) return numbered;
    const places = found.get(wanted) ?? byWords(wanted);
    found.set(wanted, places);
    return places.find(isOther) ?? null;
  };
}

/** By code units, as words begin with others. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
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
  const waitsFor = new Map<string, number>();
  const waiters = new Map<string, string[]>();
  for (const { id, after } of waiting.values()) {
    const open = after.filter((other) => waiting.has(other));
    waitsFor.set(id, open.length);
    for (const other of open) {
      const its = waiters.get(other) ?? [];
      its.push(id);
      waiters.set(other, its);
    }
  }
  const ready = [...waiting.keys()].filter((id) => waitsFor.get(id) === 0);
  for (const id of ready) {
    waiting.delete(id);
    for (const waiter of waiters.get(id) ?? []) {
      const left = (waitsFor.get(waiter) ?? 0) - 1;
      waitsFor.set(waiter, left);
      if (left === 0) ready.push(waiter);
    }
  }
  const [first] = waiting.values();
  return first === undefined ? [] : [`The task "${first.text}" waits for itself, by way of what it waits for.`];
}
