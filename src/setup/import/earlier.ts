import { comparableTitle, type Task } from "../plan/task.ts";
import type { WantedFile } from "../project-files.ts";
import { tasksOf } from "./requirements.ts";
import { originLine } from "./spec-base.ts";

type Files = { read(path: string): string | null };

/**
 * Tasks with what their document said of them when it was imported before, as the specs still hold it: so that a plan can tell
 * what a person wrote from what a document said.
 */
export function withEarlier(
  tasks: readonly Task[],
  specs: readonly WantedFile[],
  files: Files,
  document: string,
): Task[] {
  const before = specs.flatMap(({ path }) => {
    const [origin, ...lines] = (files.read(path) ?? "").split(/\r?\n/);
    return origin === originLine(document) ? tasksOf(lines.join("\n"), { specOf: () => path }) : [];
  });
  const byId = new Map(before.flatMap((task) => (task.id === null ? [] : [[task.id.toLowerCase(), task] as const])));
  const byTitle = new Map(before.map((task) => [comparableTitle(task.title), task]));
  return tasks.map((task) => {
    const was = (task.id === null ? null : byId.get(task.id.toLowerCase())) ?? byTitle.get(comparableTitle(task.title));
    return was === undefined ? task : { ...task, was: { title: was.title, details: was.details } };
  });
}
