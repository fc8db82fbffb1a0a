import type { State, TaskAtWork } from "../journal/state.ts";
import { type Share, shareIn } from "./share.ts";

/** A worker at work that a swarm left that was killed, with its run; null while none is under way there. */
export type Orphan = { work: { run: string; task: string } | null; share: Share };

/** What is known of an orphan. @param newest its newest run */
export function orphanOf(newest: State | null): Orphan {
  const [task] = newest?.tasks_at_work ?? [];
  if (newest === null || newest.finished !== null || task === undefined) return { work: null, share: {} };
  return { work: { run: newest.run, task: task.task }, share: shareIn(newest) };
}

/**
 * The run on what a worker was left with; null if none began. One that had ended before is counted. A person may have had others begin there
 * since.
 * @param runs of its worktree, the newest first
 */
export function runOnLeft({ task, since }: TaskAtWork, runs: Iterable<State>): State | null {
  for (const run of runs) {
    if (Date.parse(run.started_at) < Date.parse(since)) return null;
    if (run.tasks_at_work.some((one) => one.task === task)) return run;
  }
  return null;
}
