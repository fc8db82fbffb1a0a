import { comparableTitle, type Task } from "../../plan/task.ts";

/**
 * The tasks of an issue's text: its parts in a group with the issue's name, or the issue itself if it has at most one
 * part.
 */
export function issueTasks(about: Task, tasks: readonly Task[]): Task[] {
  const [only] = tasks;
  if (only === undefined) return [about];
  if (tasks.length === 1) {
    const isSame = comparableTitle(only.title).endsWith(comparableTitle(about.title));
    const words = isSame ? [] : [only.title];
    return [{ ...about, done: only.done, details: [...about.details, ...words, ...only.details] }];
  }
  const name = `${about.id}: ${about.title}`;
  return tasks.map((task) => {
    if (task.id?.toLowerCase() === about.id?.toLowerCase()) return task;
    return { ...task, group: task.group === undefined ? name : `${name} / ${task.group}` };
  });
}
