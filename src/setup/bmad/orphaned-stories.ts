import { parseBox } from "../../core/text/markdown-blocks.ts";
import { visibleLines } from "../../core/text/markdown-lines.ts";
import { comparableTitle, idOfBox, titleOfBox } from "../plan/task.ts";
import type { Complaint } from "./check-bmad-plan.ts";
import type { Story } from "./stories.ts";

/**
 * Finds stories of the plan that the planning documents no longer name. They stay in the plan, and the user decides
 * about them. A story that was only renumbered is reported as such.
 */
export function findOrphanedStories(plan: string, stories: readonly Story[]): Complaint[] {
  const ids = new Set(stories.map(({ id }) => `story ${id}`));
  const byTitle = new Map(stories.map((story) => [comparableTitle(story.title), story.id]));
  return visibleLines(plan).flatMap(({ text }): Complaint[] => {
    const box = parseBox(text);
    const id = box === null ? null : idOfBox(box.text);
    if (box === null || id === null || !/^story \d/i.test(id) || ids.has(id.toLowerCase())) return [];
    const now = byTitle.get(comparableTitle(titleOfBox(box.text)));
    if (now !== undefined)
      return [{ code: "I3", level: "info", text: `${id} is Story ${now} now; its box keeps its tick.` }];
    const why = `${id} (${box.isDone ? "done" : "open"}) is in the plan, and the planning documents no longer name it. Its box stays.`;
    return [{ code: "W13", level: "warning", text: why }];
  });
}
