/**
 * `tasks.md` of spec-kit (github/spec-kit, templates/tasks-template.md, as of August 2026): phases, ids `T001`, and `[P]` for what may
 * run side by side. Phases follow each other, but those of user stories run side by side once the phases before them are over.
 * Within a phase, and each part of it that has a heading, tasks follow each other; those with `[P]` that stand together run side by
 * side. `(depends on T012, T013)` adds to it.
 */
import { plainTitle } from "../plan/fix-plan.ts";
import { type MarkdownTask, markdownTasks } from "./markdown-tasks.ts";
import { inStages, placesNamed, type ReadList, type ReadTask } from "./read-task.ts";
import { boxWords } from "./task-graph.ts";

const ID = /^\**\[?(T\d{3,5}[a-z]?)\b/i;
const SIDE_BY_SIDE = /^\S+\s+(?:\[[^\]]*\]\s*)*\[P\]/i;
const STORY_LABEL = /^\S+\s+(?:\[[^\]]*\]\s*)*\[US-?\d+\]/i;
const STORY_TITLE = /\b(?:user story|US) ?-?\d/i;
const DEPENDS = /\b(?:depends on|blocked by|requires)[:\s]+((?:T\d{3,5}[a-z]?(?:\s*(?:,|&|and|-|–|\.\.)\s*)?)+)/gi;
const RANGE = /T(\d{3,5})\s*(?:-|–|\.\.)\s*T(\d{3,5})/gi;
const MOST_IN_RANGE = 100;

type Phase = { title: string | null; places: number[]; isStory: boolean };

/** Whether boxes begin with ids as spec-kit gives them. */
export function isSpecKit(text: string): boolean {
  return areOfSpecKit(markdownTasks(text, "X"));
}

/** As `isSpecKit`, of boxes that were read. */
export function areOfSpecKit(tasks: readonly Pick<MarkdownTask, "text">[]): boolean {
  return tasks.length > 0 && tasks.filter(({ text }) => ID.test(text)).length * 2 > tasks.length;
}

export function readSpecKit(text: string): ReadList {
  const found = markdownTasks(text, "X").map((task) => ({ ...task, ...boxWords(task.text) }));
  const phases = phasesOf(found);
  const ids = found.map(({ text: words }) => ID.exec(words)?.[1]?.toUpperCase() ?? null);
  const places = new Map(ids.flatMap((id, place) => (id === null ? [] : [[id, [place]]])));
  const orders = inPhases(found, phases);
  const faults: string[] = [];
  const titles = new Map(phases.flatMap(({ title, places }) => places.map((place) => [place, title])));
  const tasks = found.map(({ headings: _, after: said, ...task }, place): ReadTask => {
    const after = [...(orders.get(place) ?? []), ...placesNamed(namedIn(task.text), task, places, faults)];
    return {
      ...task,
      name: ids[place] ?? task.name,
      section: titles.get(place) ?? null,
      optional: false,
      after: [...new Set([...after, ...(said ?? [])])],
    };
  });
  return { tasks, faults };
}

/** The ids that a task says it depends on; `T006-T009` are four. */
function namedIn(text: string): string[] {
  return [...text.matchAll(DEPENDS)].flatMap(([, list = ""]) => {
    const between = [...list.matchAll(RANGE)].flatMap(([, from = "", to = ""]) => {
      const count = Math.min(MOST_IN_RANGE, Number(to) - Number(from) + 1);
      return Array.from(
        { length: Math.max(0, count) },
        (_, at) => `T${String(Number(from) + at).padStart(from.length, "0")}`,
      );
    });
    return [...new Set([...between, ...(list.toUpperCase().match(/T\d{3,5}[A-Z]?/g) ?? [])])];
  });
}

function phasesOf(tasks: readonly MarkdownTask[]): Phase[] {
  const phases: Phase[] = [];
  for (const [place, { headings }] of tasks.entries()) {
    // The title of the whole is no phase.
    const heading = headings.find(({ level }) => level > 1) ?? headings[0];
    const title = heading === undefined ? null : plainTitle(heading.title);
    const last = phases.at(-1);
    if (last !== undefined && last.title === title) last.places.push(place);
    else phases.push({ title, places: [place], isStory: false });
  }
  return phases.map((phase) => {
    const labelled = phase.places.every((place) => STORY_LABEL.test(tasks[place]?.text ?? ""));
    return { ...phase, isStory: labelled || STORY_TITLE.test(phase.title ?? "") };
  });
}

/** What each task waits for by its place. */
function inPhases(tasks: readonly MarkdownTask[], phases: readonly Phase[]): Map<number, readonly number[]> {
  const orders = new Map<number, readonly number[]>();
  const isOpen = (place: number) => tasks[place]?.done === false;
  /** What has to be over before a story begins, and before the phase after it does. */
  let [before, ends]: [readonly number[], number[]] = [[], []];
  for (const phase of phases) {
    if (!phase.isStory && ends.length > 0) [before, ends] = [[...new Set(ends)], []];
    const { after, end } = inStages(stagesOf(tasks, phase), isOpen, before);
    for (const [place, others] of after) orders.set(place, others);
    if (phase.isStory) ends.push(...end);
    else before = end;
  }
  return orders;
}

/** The tasks of a phase that run side by side, one lot after the other. */
function stagesOf(tasks: readonly MarkdownTask[], { places }: Phase): number[][] {
  const stages: number[][] = [];
  let joins = false;
  let heading: unknown = null;
  for (const place of places) {
    const { text = "", headings = [] } = tasks[place] ?? {};
    const isSide = SIDE_BY_SIDE.test(text);
    if (isSide && joins && heading === headings.at(-1)) stages.at(-1)?.push(place);
    else stages.push([place]);
    [joins, heading] = [isSide, headings.at(-1)];
  }
  return stages;
}
