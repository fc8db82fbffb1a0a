import { asObject, asText } from "../detect/files.ts";
import { ofNumber } from "../plan/priority.ts";
import type { Task } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";

const MAX_TITLE = 200;

/** The open tasks in the output of `bd list --json` that have an id and a title. Null if the output is no list. */
export function tasksFromBeads(output: string): Task[] | null {
  let list: unknown;
  try {
    list = JSON.parse(output);
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  return list.flatMap((one): Task[] => {
    const bead = asObject(one) ?? {};
    const [id, title] = [asText(bead.id), asText(bead.title)];
    if (id === null || title === null || bead.status === "closed" || /\s/.test(id)) return [];
    const priority = typeof bead.priority === "number" ? ofNumber(bead.priority) : "medium";
    return [{ id: sanitizeLine(id, 60), title: sanitizeLine(title, MAX_TITLE), priority, done: false, details: [] }];
  });
}
