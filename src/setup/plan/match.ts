import type { Box } from "./boxes.ts";
import { comparableTitle, isOfTracker, type Task } from "./task.ts";

/** What a task is known by, in a plan or in a document; title and group as they are compared. */
export type TaskIdentity = Pick<Box, "id" | "title" | "group">;

/** A task as something that others are looked for in. */
export function toIdentity(task: Task): TaskIdentity & { task: Task } {
  const { id, title, group } = task;
  return { id, title: comparableTitle(title), group: group === undefined ? null : comparableTitle(group), task };
}

/**
 * Which of these each task is. What a tracker numbers is known by its number. What a document numbers is known by number
 * and title, then by its title alone, since a requirement that is put in between numbers all others anew, then by its number.
 * What has no id is known by its title in its group, then by its title: groups are renamed.
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
  /** What two trackers' ids name are two things; a requirement or story may have been numbered anew. */
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
 * Whether at least half of the words of two titles are the same, or one holds all words of the other; where no blanks part
 * words, each character is one.
 */
export function haveSimilarTitles(box: TaskIdentity, task: Task): boolean {
  const [first, second] = [box.title, comparableTitle(task.title)].map(
    (text) =>
      new Set(text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [text]),
  ) as [Set<string>, Set<string>];
  const same = first.intersection(second).size;
  return same * 2 >= first.union(second).size || same === Math.min(first.size, second.size);
}
