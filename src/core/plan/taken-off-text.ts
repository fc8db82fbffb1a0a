import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const MOST_NAMED = 3;
const TASK_CHARS = 80;

/** A sentence for a person on tasks that left the plan without a tick; "" for none. */
export function describeTakenOff(tasks: readonly string[]): string {
  if (tasks.length === 0) return "";
  const named = tasks.slice(0, MOST_NAMED).map((task) => `“${truncate(singleLine(task), TASK_CHARS)}”`);
  const more = tasks.length - named.length;
  return `Left the plan without a tick: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
