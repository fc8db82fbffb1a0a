import { type Box, readSpecPath } from "./boxes.ts";
import { haveSimilarTitles, isNumbered, matchTasks } from "./match.ts";
import { comparableTitle, type Task } from "./task.ts";

/** What is looked for in a round, and whether a box that was found is believed. */
type Round = { as(task: Task): Task | null; fits(box: Box, wanted: Task): boolean };

const ROUNDS: readonly Round[] = [
  { as: (task) => task, fits: ({ title }, task) => title === comparableTitle(task.title) },
  // The plan was made of what the document said before.
  { as: ({ was }) => was ?? null, fits: haveSimilarTitles },
  // Where nothing tells what a number named before, the words have to.
  { as: (task) => task, fits: (box, task) => task.was !== null || haveSimilarTitles(box, task) },
];

/** The box of each task that has one: see `matched`, and the rounds above. Numbers of another document name other things. */
export function findBoxes(boxes: readonly Box[], tasks: readonly Task[]): Map<Task, Box> {
  const others = foreignNumbers(boxes, tasks);
  const own = boxes.filter((box) => !isNumbered(box.id) || !others.has(box.spec ?? box));
  const found = new Map<Task, Box>();
  for (const { as, fits } of ROUNDS) {
    const taken = new Set(found.values());
    const open = new Map<Task, Task>();
    for (const task of tasks) {
      const wanted = found.has(task) ? null : as(task);
      if (wanted !== null) open.set(wanted, task);
    }
    const free = own.filter((box) => !taken.has(box));
    for (const [wanted, box] of matchTasks(free, [...open.keys()])) {
      const task = open.get(wanted);
      if (task !== undefined && fits(box, wanted)) found.set(task, box);
    }
  }
  return found;
}

/**
 * The spec files of other documents, and boxes without one that a person numbered: FR-1 of one says something else than FR-1 of
 * another. A document that only got another name says mostly the same below its numbers.
 */
function foreignNumbers(boxes: readonly Box[], tasks: readonly Task[]): Set<string | Box> {
  const files = new Set(tasks.flatMap(({ details }) => readSpecPath(details) ?? []));
  const byId = new Map(tasks.flatMap((task) => (isNumbered(task.id) ? [[task.id?.toLowerCase(), task] as const] : [])));
  const pairs = boxes.flatMap((box) => {
    const task = byId.get(box.id?.toLowerCase());
    if (task === undefined || files.has(box.spec ?? "") || readSpecPath(task.details) === null) return [];
    return [{ from: box.spec ?? box, isAlike: haveSimilarTitles(box, task) }];
  });
  return new Set(
    [...Map.groupBy(pairs, ({ from }) => from)].flatMap(([from, all]) =>
      all.filter((pair) => pair.isAlike).length * 2 < all.length ? from : [],
    ),
  );
}
