import { jsonIn } from "../../core/json-value.ts";
import { beadOf } from "../../core/tasks/read-beads.ts";
import { ofNumber } from "../plan/priority.ts";
import type { Task } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";

const MAX_TITLE = 200;

/** The open tasks in the output of `bd list --json` that have an id and a title. Null if the output is no list. */
export function tasksFromBeads(output: string): Task[] | null {
  const list = jsonIn(output);
  if (!Array.isArray(list)) return null;
  return list.flatMap((one): Task[] => {
    const bead = beadOf(one);
    if (bead === null || bead.status === "closed") return [];
    const priority = bead.priority === null ? "medium" : ofNumber(bead.priority);
    const [id, title] = [sanitizeLine(bead.id, 60), sanitizeLine(bead.title, MAX_TITLE)];
    return [{ id, title, priority, done: false, details: [] }];
  });
}
