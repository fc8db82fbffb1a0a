import { join } from "node:path";
import type { State } from "../../core/journal/state.ts";
import { foldNewestRun } from "../../effects/journal/journal-fold.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import { listWorktrees } from "../../effects/worktrees/worktrees.ts";
import type { WorkerRow } from "../../view/swarm-lines.ts";

/** The workers of a swarm that have a task, each with its newest run. None for another run: the worker of a claim is no worktree then. */
export function swarmWorkers(project: string, { tasks_at_work }: Pick<State, "tasks_at_work">): WorkerRow[] {
  if (tasks_at_work.length === 0) return [];
  const worktrees = listWorktrees(project);
  return tasks_at_work.flatMap(({ worker }) => {
    const its = worktrees.find(({ name }) => name === worker);
    if (its === undefined) return [];
    return [{ name: worker, run: foldNewestRun(join(its.project, RALPH_DIR, "runs"), its.project)?.state ?? null }];
  });
}
