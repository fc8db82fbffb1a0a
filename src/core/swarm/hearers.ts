import { aboutTask } from "../needs/questions.ts";
import type { WorkTask } from "../tasks/task-graph.ts";

/** A worker at work; `task` is the id of what it has, null while that is unknown. */
export type AtWork = { name: string; task: string | null };

/** Who of those at work hears what a person said: all; the answer about an open task is for the one that has it. */
export function hearersOf(text: string, tasks: readonly WorkTask[], atWork: readonly AtWork[]): string[] {
  const about = tasks.filter((task) => !task.done && text.includes(aboutTask(task.text)));
  return atWork.filter(({ task }) => about.length === 0 || about.some(({ id }) => id === task)).map(({ name }) => name);
}
