import { type Box, readSpecPath } from "./boxes.ts";
import { haveSimilarTitles, isNumbered, matchTasks } from "./match.ts";
import { comparableTitle, type Task } from "./task.ts";

/** The version of a task to search for in a round, and whether a match is accepted. */
type Round = { as(task: Task): Task | null; fits(box: Box, wanted: Task): boolean };

const ROUNDS: readonly Round[] = [
  { as: (task) => task, fits: ({ title }, task) => title === comparableTitle(task.title) },
  // The plan was made from the document's earlier version.
  { as: ({ was }) => was ?? null, fits: haveSimilarTitles },
  // If the earlier version is unknown, a number alone proves nothing: the titles must be similar.
  { as: (task) => task, fits: (box, task) => task.was !== null || haveSimilarTitles(box, task) },
];

/**
 * Finds each task's box with `matchTasks`, in the rounds above. Skips boxes whose number comes from another document.
 */
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
  for (const [task, box] of reworded(own, tasks, found)) found.set(task, box);
  return found;
}

/**
 * The boxes of tasks without an id, whose user reworded them: they name the document's spec, are like the document's
 * words, and no task has theirs.
 */
function reworded(boxes: readonly Box[], tasks: readonly Task[], found: ReadonlyMap<Task, Box>): Map<Task, Box> {
  const taken = new Set(found.values());
  const pairs = new Map<Task, Box>();
  const free = Map.groupBy(
    boxes.filter((box) => box.id === null && box.spec !== null && !taken.has(box)),
    ({ spec }) => spec,
  );
  for (const task of tasks) {
    const spec = readSpecPath(task.details);
    const { was } = task;
    if (task.id !== null || spec === null || !was || found.has(task)) continue;
    const box = (free.get(spec) ?? []).find((one) => !taken.has(one) && haveSimilarTitles(one, was));
    if (box === undefined) continue;
    pairs.set(task, box);
    taken.add(box);
  }
  return pairs;
}

/**
 * The spec files of other documents, and boxes without one that the user numbered: FR-1 of one document is not FR-1 of
 * another. A document that was only renamed has mostly similar titles for its numbers.
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
