/** The tasks that several workers share: what is marked as done on the target is done. */
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { MissingTargetError } from "../../core/land/missing-target.ts";
import type { TaskSource } from "../../core/tasks/task-source.ts";
import { slashPath } from "../files/slash-path.ts";
import type { Git } from "../git/git-program.ts";
import { projectPaths, RALPH_DIR, readOptional } from "../project/project-paths.ts";
import { ownerOf } from "../worktrees/worktrees.ts";
import { fetchBranch } from "./task-branch.ts";
import { type TaskFileSettings, taskFile } from "./task-file.ts";

export type HubPlan = {
  tasks: TaskSource;
  /** Path of a worker's own plan, from the project in any checkout, with forward slashes. */
  path: string;
  /** What a worker may change for itself: its plan, and the list. Neither gets into its commits. */
  own: readonly string[];
};

export type HubPlace = {
  hub: string;
  target: string;
  /** See queue.ts. */
  queue: string;
  /** Absolute; git runs there. */
  projectDir: string;
  /** The project itself may have what no commit has, as its worktrees have it from there. */
  isOwn?: boolean;
  settings: TaskFileSettings;
};

/**
 * Reads the plan, or the list that the settings name, from the target's commit. One that no commit has is that of the project, of which
 * a worktree's is a part.
 * @throws MissingTargetError without the target; RalphError `environment` if there is no plan that all workers can see, or if what its tasks wait for makes no sense
 */
export async function readHubPlan(
  git: Git,
  { hub, target, queue, projectDir, isOwn = false, settings }: HubPlace,
): Promise<HubPlan> {
  const tip = await fetchBranch(git, hub, target);
  if (tip === null)
    throw new MissingTargetError("environment", `The branch ${target} is not in ${hub}.`, {
      hint: "Push it there, or name another with --onto.",
    });
  const file = taskFile(queue, projectDir, settings);
  const shown = file === null ? null : await git.run(["show", `${tip}:./${file.path}`]);
  const owner = ownerOf(projectDir);
  const mayRead = owner !== projectDir || isOwn;
  const text =
    file === null ? null : shown?.code === 0 ? shown.stdout : mayRead ? readOptional(join(owner, file.path)) : null;
  if (file === null || text === null)
    throw new RalphError("environment", `There is no ${file?.path ?? "plan"} on ${target} in ${hub}.`, {
      hint: "Commit and push it: workers on other machines have it from there.",
    });
  const tasks = file.read(text);
  const [fault] = tasks.graph.faults;
  if (fault !== undefined) throw new RalphError("environment", fault, { hint: `Mend ${file.path}: workers go by it.` });
  const path = settings.TASKS_FILE === null ? file.path : planPath(projectDir);
  return { tasks, path, own: [...new Set([path, file.path])] };
}

/** Where a worker has its plan, if the list of tasks is not the plan: its agent looks where the prompt says. */
function planPath(project: string): string {
  const { plan, prompt } = projectPaths(project, null, null);
  const name = readOptional(prompt)?.includes("@fix_plan.md") === true ? "@fix_plan.md" : "fix_plan.md";
  return slashPath(project, plan ?? join(project, RALPH_DIR, name));
}
