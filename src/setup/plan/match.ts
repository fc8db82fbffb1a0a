import { type Box, specOf } from "./boxes.ts";
import { comparableTitle, isOfTracker, type Task } from "./task.ts";

/**
 * The box of each task that has one. What a tracker numbers is known by its number. What a document numbers is known by number
 * and title, then by its title alone, since a requirement that is put in between numbers all others anew, then by its number.
 * What has no id is known by its title in its group, then by its title: groups are renamed. Numbers of another document name
 * other things.
 */
export function matched(boxes: readonly Box[], tasks: readonly Task[]): Map<Task, Box> {
  const found = new Map<Task, Box>();
  const taken = new Set<Box>();
  const foreign = filesOfOthers(boxes, tasks);
  const own = boxes.filter(({ id, spec }) => id === null || isOfTracker(id) || spec === null || !foreign.has(spec));
  const ids = new Set(tasks.flatMap(({ id }) => id?.toLowerCase() ?? []));
  const byId = Map.groupBy(own, ({ id }) => id?.toLowerCase() ?? "");
  const byTitle = Map.groupBy(own, ({ title }) => title);
  const titles = Map.groupBy(tasks, ({ title }) => comparableTitle(title));
  const named = ({ id }: Task) => (id === null ? [] : (byId.get(id.toLowerCase()) ?? []));
  const titled = ({ title }: Task) => (title === "" ? [] : (byTitle.get(comparableTitle(title)) ?? []));
  /** What two trackers' ids name are two things; a requirement or story may have been numbered anew. */
  const mayBe = (box: Box, { id }: Task) =>
    box.id === null || (!ids.has(box.id.toLowerCase()) && (id === null || !isOfTracker(id) || !isOfTracker(box.id)));
  const ways: readonly ((task: Task) => readonly Box[])[] = [
    (task) => named(task).filter(({ title }) => title === comparableTitle(task.title)),
    (task) => {
      const alike = titled(task).filter(({ id }) => isNumbered(id));
      const isOnly = alike.length === 1 && titles.get(comparableTitle(task.title))?.length === 1;
      return isNumbered(task.id) && isOnly ? alike : [];
    },
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
function isNumbered(id: string | null): boolean {
  return id !== null && !isOfTracker(id);
}

/**
 * The spec files of other documents: FR-1 of one says something else than FR-1 of another. A document that only got another
 * name says mostly the same below its numbers.
 */
function filesOfOthers(boxes: readonly Box[], tasks: readonly Task[]): Set<string> {
  const files = new Set(tasks.flatMap(({ details }) => specOf(details) ?? []));
  const byId = new Map(tasks.flatMap((task) => (isNumbered(task.id) ? [[task.id?.toLowerCase(), task] as const] : [])));
  const pairs = boxes.flatMap(({ id, title, spec }) => {
    const task = byId.get(id?.toLowerCase());
    if (task === undefined || spec === null || files.has(spec) || specOf(task.details) === null) return [];
    return [{ spec, isAlike: isAlike(title, comparableTitle(task.title)) }];
  });
  return new Set(
    [...Map.groupBy(pairs, ({ spec }) => spec)].flatMap(([spec, all]) =>
      all.filter((pair) => pair.isAlike).length * 2 < all.length ? spec : [],
    ),
  );
}

/** Whether at least half of the words of two titles are the same; where no blanks part words, each character is one. */
function isAlike(one: string, two: string): boolean {
  const [first, second] = [one, two].map(
    (text) =>
      new Set(text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [text]),
  ) as [Set<string>, Set<string>];
  return first.intersection(second).size * 2 >= first.union(second).size;
}
