import { comparableTitle, type Task } from "../plan/task.ts";
import { isStruck, plainTitle } from "./formats/inline.ts";
import { readOutline, type Section } from "./read/outline.ts";
import { readTasks } from "./read/requirements.ts";
import { asksQuestions, sectionKind } from "./read/section-kind.ts";

/** What an import made of a document, by the names of its sections. */
export type DocumentReport = {
  /** The sections with tasks, and how many each gave. */
  tasks: { name: string; tasks: number }[];
  /** The sections that only the specs hold. */
  specsOnly: string[];
  /** Headings with nothing below them. */
  empty: string[];
  /** What the document leaves open, for a person to answer. */
  questions: string[];
};

/**
 * Compares a document with the tasks made of it.
 * @param tasks of the plan; one in an agent's own words belongs to no section
 */
export function documentReport(text: string, tasks: readonly Task[]): DocumentReport {
  const sections = readOutline(text);
  const lines: number[] = [];
  const own = readTasks(text, { specOf: (line) => `${lines.push(line)}` });
  /** Where each name stands, the last first: a task takes the first that none took, since two sections may have "Add tests". */
  const placesOf = Map.groupBy(
    own.flatMap((task, at) => keysOf(task).map((key) => ({ key, at }))).reverse(),
    ({ key }) => key,
  );
  const taken = new Set<number>();
  const placeOf = (key: string): number | undefined => {
    const places = placesOf.get(key) ?? [];
    while (places.length > 1 && taken.has(places.at(-1)?.at ?? 0)) places.pop();
    return places.at(-1)?.at;
  };
  const all = text.split(/\r\n|\n|\r/);
  /** How many tasks stand above each line's end. */
  const until = new Uint32Array(all.length + 1);
  for (const task of tasks) {
    const place = keysOf(task)
      .map(placeOf)
      .find((one) => one !== undefined);
    const line = place === undefined ? undefined : lines[place];
    if (place === undefined || line === undefined) continue;
    taken.add(place);
    until[line] = (until[line] ?? 0) + 1;
  }
  for (let line = 1; line < until.length; line += 1) until[line] = (until[line] ?? 0) + (until[line - 1] ?? 0);
  const report: DocumentReport = { tasks: [], specsOnly: [], empty: [], questions: openQuestions(sections) };
  for (const { name, from, to } of chaptersOf(sections, all.length)) {
    const count = (until[to] ?? 0) - (until[from - 1] ?? 0);
    if (count > 0) report.tasks.push({ name, tasks: count });
    else if (all.slice(from, to).some((line) => /[\p{L}\p{N}]/u.test(line))) report.specsOnly.push(name);
    else report.empty.push(name);
  }
  return report;
}

function keysOf({ id, title }: Task): string[] {
  return [...(id === null ? [] : [`${id} ${comparableTitle(title)}`, id]), comparableTitle(title)];
}

/** The chapters below the title, and sections within them that say what is left out. */
function chaptersOf(sections: readonly Section[], end: number): { name: string; from: number; to: number }[] {
  const headings = sections.filter(({ isHeading, title }) => isHeading && title !== "");
  const isSole = headings.filter(({ level }) => level === 1).length === 1 && headings[0]?.level === 1;
  const below = isSole ? headings.slice(1) : headings;
  const level = Math.min(...below.map((one) => one.level));
  return below.flatMap((one, index) => {
    if (one.level > level && sectionKind(one.title) !== "never") return [];
    let next = index + 1;
    while ((below[next]?.level ?? 0) > one.level) next += 1;
    return { name: one.title, from: one.line, to: (below[next]?.line ?? end + 1) - 1 };
  });
}

/** The questions below headings such as "Open points", and the marks for what needs clarifying. */
function openQuestions(sections: readonly Section[]): string[] {
  let level: number | null = null;
  const found = sections.flatMap((section) => {
    if (level !== null && section.level <= level) level = null;
    const isBelow = level !== null && section.title.endsWith("?");
    if (level === null && asksQuestions(section.title)) level = section.level;
    const asked = level === null ? [] : section.items.flatMap(questionOf);
    return [...(isBelow ? [section.title] : []), ...asked, ...section.items.flatMap(marked)];
  });
  return [...new Set(found)];
}

function questionOf(item: Section["items"][number]): string[] {
  if (item.kind === "row") return item.cells.slice(1).some((cell) => cell !== "") ? [] : item.cells.slice(0, 1);
  const isOpen = item.kind === "text" ? item.text.includes("?") : item.indent === 0 && !isStruck(item.text);
  return isOpen && !(item.kind === "box" && item.done) ? [plainTitle(item.text)] : [];
}

function marked(item: Section["items"][number]): string[] {
  const text = item.kind === "row" ? item.cells.join(" ") : item.text;
  return [...text.matchAll(/\[NEEDS CLARIFICATION:\s*([^\]]{1,300})\]/g)].flatMap(([, words]) => words ?? []);
}
