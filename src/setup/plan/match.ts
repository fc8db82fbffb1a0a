import type { Box } from "./boxes.ts";
import { comparableTitle, isOfTracker, type Task } from "./task.ts";

/** The properties that identify a task, in a plan or in a document; title and group in comparable form. */
export type TaskIdentity = Pick<Box, "id" | "title" | "group">;

/** A task as a candidate for `matchTasks`. */
export function toIdentity(task: Task): TaskIdentity & { task: Task } {
  const { id, title, group } = task;
  return { id, title: comparableTitle(title), group: group === undefined ? null : comparableTitle(group), task };
}

/**
 * Finds the counterpart of each task.
 * - A tracker's task matches by its number.
 * - A document's numbered task matches by number and title, then by title alone (an inserted requirement renumbers the
 * rest), then by number.
 * - A task without an id matches by its title in its group, then by its title alone, because groups are renamed.
 */
export function matchTasks<T extends TaskIdentity>(all: readonly T[], tasks: readonly Task[]): Map<Task, T> {
  const found = new Map<Task, T>();
  const taken = new Set<T>();
  const ids = new Set(tasks.flatMap(({ id }) => id?.toLowerCase() ?? []));
  const byId = Map.groupBy(all, ({ id }) => id?.toLowerCase() ?? "");
  const byTitle = Map.groupBy(all, ({ title }) => title);
  const titles = Map.groupBy(tasks, ({ title }) => comparableTitle(title));
  const named = ({ id }: Task) => (id === null ? [] : (byId.get(id.toLowerCase()) ?? []));
  const titled = ({ title }: Task) => (title === "" ? [] : (byTitle.get(comparableTitle(title)) ?? []));
  /** Two ids of trackers name two tasks; a requirement or story may have a new number. */
  const mayBe = (box: T, { id }: Task) =>
    box.id === null || (!ids.has(box.id.toLowerCase()) && (id === null || !isOfTracker(id) || !isOfTracker(box.id)));
  const ways: readonly ((task: Task) => readonly T[])[] = [
    (task) => named(task).filter(({ title }) => title === comparableTitle(task.title)),
    (task) => {
      const alike = titled(task).filter(({ id }) => isNumbered(id));
      const areAll = alike.length === titles.get(comparableTitle(task.title))?.length;
      return isNumbered(task.id) && areAll ? alike : [];
    },
    (task) => named(task).filter((one) => haveSimilarTitles(one, task)),
    named,
    (task) =>
      titled(task)
        .filter((box) => mayBe(box, task))
        .filter(({ group }) => group === (task.group === undefined ? null : comparableTitle(task.group))),
    (task) => titled(task).filter((box) => mayBe(box, task)),
  ];
  for (const way of ways) {
    for (const task of tasks) {
      const box = found.has(task) ? undefined : way(task).find((one) => !taken.has(one));
      if (box === undefined) continue;
      found.set(task, box);
      taken.add(box);
    }
  }
  return found;
}

/** Whether the author of a document gave the id. */
export function isNumbered(id: string | null): boolean {
  return id !== null && !isOfTracker(id);
}

/**
 * Whether two titles share at least half of their words, or one contains all words of the other. In scripts without
 * blanks each character is a word.
 */
export function haveSimilarTitles(box: TaskIdentity, task: Task): boolean {
  const [first, second] = [box.title, comparableTitle(task.title)].map(
    (text) =>
      new Set(text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [text]),
  ) as [Set<string>, Set<string>];
  const same = first.intersection(second).size;
  return same * 2 >= first.union(second).size || same === Math.min(first.size, second.size);
}
