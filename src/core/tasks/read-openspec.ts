/**
 * `tasks.md` of a change of OpenSpec (Fission-AI/OpenSpec, schemas/spec-driven, as of August 2026): numbered groups of boxes `1.1`,
 * "ordered by dependency". So one task follows the other, unless a box says `after:`; then only what is said counts.
 */
import { plainTitle } from "../plan/fix-plan.ts";
import { type MarkdownTask, markdownTasks } from "./markdown-tasks.ts";
import { inStages, type ReadList } from "./read-task.ts";
import { boxWords } from "./task-graph.ts";

const NUMBER = /^\d{1,3}\.\d{1,3}(?:\.\d{1,3})*\.?\s/;

/** Whether boxes have numbers of two parts, below numbered headings. */
export function isOpenSpec(text: string): boolean {
  const tasks = markdownTasks(text, "x");
  const numbered = tasks.filter((task) => NUMBER.test(task.text) && /^\d/.test(titleAbove(task) ?? ""));
  return tasks.length > 0 && numbered.length * 2 > tasks.length;
}

export function readOpenSpec(text: string): ReadList {
  const found = markdownTasks(text, "x").map((task) => ({
    ...task,
    ...boxWords(task.text),
    section: titleAbove(task),
  }));
  const isSaid = found.some(({ after }) => after !== null);
  const { after } = inStages(
    found.map((_, place) => [place]),
    (place) => found[place]?.done === false,
  );
  const tasks = found.map(({ headings: _, ...task }, place) => ({
    ...task,
    optional: false,
    after: isSaid ? task.after : (after.get(place) ?? []),
  }));
  return { tasks, faults: [] };
}

function titleAbove({ headings }: Pick<MarkdownTask, "headings">): string | null {
  const heading = headings.at(-1);
  return heading === undefined ? null : plainTitle(heading.title);
}
