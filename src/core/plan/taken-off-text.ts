import { firstNames } from "../text/first-names.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const MOST_NAMED = 3;
const TASK_CHARS = 80;

/** A sentence for a person on tasks that left the plan without a tick; "" for none. */
export function describeTakenOff(tasks: readonly string[]): string {
  return tasks.length === 0 ? "" : `Left the plan without a tick: ${firstTasks(tasks)}.`;
}

/** The words of the first few tasks, and how many more there are. */
export function firstTasks(tasks: readonly string[]): string {
  const named = tasks.map((task) => `“${truncate(singleLine(task), TASK_CHARS)}”`);
  return firstNames(named, MOST_NAMED);
}
