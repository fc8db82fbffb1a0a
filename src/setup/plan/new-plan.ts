import { inlineCode, uncommented } from "../sanitize-text.ts";
import { fillTemplate, TEMPLATES } from "../templates.ts";
import { groupedLines, withoutGroup } from "./insert.ts";
import { distinct, mergePlan } from "./merge.ts";
import type { Task } from "./task.ts";

const HINT = "<!-- One box a task: - [ ] Sign in with e-mail and password -->";

/** A new plan with these tasks, in their sections. */
export function newPlan(
  project: string,
  tasks: readonly Task[],
  notes: readonly string[] = [],
  template = TEMPLATES["fix_plan.md"],
): string {
  const all = distinct(tasks);
  const section = (wanted: (task: Task) => boolean, empty = "") => {
    const lines = groupedLines(all.filter(wanted));
    return lines.length === 0 ? empty : lines.join("\n");
  };
  const open = (priority: Task["priority"]) => (task: Task) => !task.done && task.priority === priority;
  const filled = fillTemplate(template, {
    PROJECT: inlineCode(project),
    HIGH: section(open("high"), all.length === 0 ? HINT : ""),
    MEDIUM: section(open("medium")),
    LOW: section(open("low")),
    OPTIONAL: section(open("optional")),
    COMPLETED: groupedLines(all.filter(({ done }) => done).map(withoutGroup)).join("\n"),
    NOTES: notes.map((note) => `- ${uncommented(note)}`).join("\n"),
  })
    .replace(/\n{3,}/g, "\n\n")
    .replace(/\n+$/, "\n");
  // A user's template may have no place for tasks.
  return template.file === null ? filled : mergePlan(filled, all).text;
}
