/** What the journal says of a run's checkpoints. */
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { iterationName } from "../report/iteration-name.ts";

export type Checkpoint = {
  run: string;
  name: string;
  commit: string;
  /** ISO time. */
  at: string;
  /** The iteration after which it was made; null for every other. */
  iteration: number | null;
  /** What that iteration is called. */
  title: string | null;
  /** Files that it lacks. */
  left_out: number;
};

export type CheckpointHistory = {
  /** In the order of their making; one of each name, the newest. */
  checkpoints: Checkpoint[];
  /** The checkpoint that has the files as an iteration found them, by its number; iterations without one are missing. */
  before: ReadonlyMap<number, Checkpoint>;
  /** What each finished iteration worked on, in order. */
  work: IterationWork[];
  lastIteration: number | null;
  /** The files as the last iteration or undo left them; null where no checkpoint of the run has them. */
  left: Checkpoint | null;
  /** The number of the next undo: one that was killed has its checkpoint, and no record of its end. */
  nextUndo: number;
};

/** The first open task at its start, the tasks that it ticked, and whether it changed a file. */
export type IterationWork = { iteration: number; task: string | null; ticked: readonly string[]; changed: boolean };

/** Reads a run's checkpoints out of its events while somebody else reads them too: journals are long. */
export function watchCheckpoints(): {
  through(events: Iterable<RalphEvent>): Generator<RalphEvent>;
  history(): CheckpointHistory;
} {
  const checkpoints = new Map<string, Checkpoint>();
  const before = new Map<number, Checkpoint>();
  let newest: Checkpoint | null = null;
  const work: IterationWork[] = [];
  /** The newest iteration that ended before its checkpoint was written. */
  let ended: EventOf<"iteration_finished"> | null = null;
  let task: string | null = null;
  let lastIteration: number | null = null;
  let left: Checkpoint | null = null;
  let nextUndo = 1;
  const note = (event: RalphEvent): void => {
    if (event.type === "checkpoint_made") {
      const { run, name, commit, at, left_out } = event;
      const iteration = /^\d+$/.test(name) ? Number(name) : null;
      newest = { run, name, commit, at, iteration, title: null, left_out };
      if (ended !== null && ended.iteration === iteration) newest.title = iterationName(ended);
      checkpoints.delete(name);
      checkpoints.set(name, newest);
      const undo = /^undo-(\d+)$/.exec(name)?.[1];
      // That of an undo has what others changed since; what becomes of it, `undone` tells.
      if (undo === undefined) left = iteration === null ? null : newest;
      if (undo !== undefined) nextUndo = Math.max(nextUndo, Number(undo) + 1);
      const next = /^(\d+)\.before$/.exec(name)?.[1];
      if (next !== undefined) before.set(Number(next), newest);
      // Written while the next agent starts, and read before.
      else if (iteration !== null && lastIteration === iteration + 1 && !before.has(lastIteration))
        before.set(lastIteration, newest);
    }
    // What was not kept cannot be given back: an older checkpoint would take more along.
    if (event.type === "checkpoint_missed") {
      newest = null;
      left = null;
    }
    if (event.type === "undone") left = event.to === null ? null : (checkpoints.get(event.to) ?? null);
    if (event.type === "iteration_started") {
      lastIteration = event.number;
      task = event.task ?? null;
      if (newest !== null && !before.has(event.number)) before.set(event.number, newest);
    }
    if (event.type === "iteration_finished") {
      const made = checkpoints.get(String(event.iteration));
      if (made !== undefined) made.title = iterationName(event);
      else {
        newest = null;
        ended = event;
      }
      const ticked = event.evidence.plan_ticked ?? [];
      work.push({
        iteration: event.iteration,
        task,
        ticked,
        changed: event.evidence.files_changed_count > 0 || ticked.length > 0,
      });
    }
  };
  return {
    *through(events) {
      for (const event of events) {
        note(event);
        yield event;
      }
    },
    history: () => ({ checkpoints: [...checkpoints.values()], before, work, lastIteration, left, nextUndo }),
  };
}

export function checkpointHistory(events: Iterable<RalphEvent>): CheckpointHistory {
  const { through, history } = watchCheckpoints();
  for (const _ of through(events));
  return history();
}

/** Some iterations in a row, both ends included. */
export type IterationRange = { first: number; last: number };

/**
 * The checkpoints that hold what a run, or some iterations of it, changed.
 * @param range null for the whole run
 * @returns `to` null: the work may go on, so the files of now are its end; null where a checkpoint is missing
 */
export function changedBetween(
  { before, checkpoints, lastIteration }: CheckpointHistory,
  range: IterationRange | null,
): { from: Checkpoint; to: Checkpoint | null } | null {
  const from = before.get(range?.first ?? Math.min(...before.keys()));
  const last = range?.last ?? lastIteration;
  if (from === undefined || last === null) return null;
  const to = checkpoints.find((one) => one.iteration === last);
  if (to !== undefined) return { from, to };
  // A call that was stopped left no checkpoint; what came after it, a person's work too, begins with the next one.
  const next = before.get(last + 1);
  return last === lastIteration ? { from, to: null } : next === undefined ? null : { from, to: next };
}

/** The iterations that worked on a task, up to the one that ticked it; null if the run never had it at hand. */
export function iterationsOfTask(work: readonly IterationWork[], task: string): IterationRange | null {
  const ticked = work.findLastIndex((one) => one.ticked.includes(task));
  const last = ticked < 0 ? work.findLastIndex((one) => one.task === task) : ticked;
  let first = last;
  while (first > 0 && work[first - 1]?.task === task && work[first - 1]?.ticked.length === 0) first -= 1;
  const [from, to] = [work[first], work[last]];
  return from === undefined || to === undefined ? null : { first: from.iteration, last: to.iteration };
}

/** The last iteration before another that changed something and can be undone; null if there is none. */
export function lastChangeBefore({ work, before }: CheckpointHistory, iteration: number): number | null {
  const found = work.findLast((one) => one.iteration < iteration && one.changed && before.has(one.iteration));
  return found?.iteration ?? null;
}

/** The iterations whose changes are those of a task, the last first; what keeps them from being taken back alone. */
export type TaskSteps = { steps: { iteration: number; before: string; after: string }[] } | { conflict: string };

/**
 * The iterations that worked on a task until one ticked it.
 * @returns null if the run did not do it
 */
export function stepsOfTask({ work, before, checkpoints }: CheckpointHistory, task: string): TaskSteps | null {
  const range = work.some(({ ticked }) => ticked.includes(task)) ? iterationsOfTask(work, task) : null;
  if (range === null) return null;
  const own = work.filter(({ iteration }) => iteration >= range.first && iteration <= range.last);
  const steps = [];
  for (const { iteration, ticked } of own.reverse()) {
    const other = ticked.find((one) => one !== task);
    if (other !== undefined) return { conflict: `iteration ${iteration} did "${other}" too` };
    const [start, end] = [before.get(iteration), checkpoints.find((one) => one.iteration === iteration)];
    if (start === undefined || end === undefined) return { conflict: `iteration ${iteration} has no checkpoints` };
    steps.push({ iteration, before: start.commit, after: end.commit });
  }
  return { steps };
}
