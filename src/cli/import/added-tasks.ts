import { distinct, mergePlan } from "../../setup/plan/merge.ts";
import type { Task } from "../../setup/plan/task.ts";
import type { FileAction } from "../../setup/scaffold.ts";

/** How many of the tasks the plan did not have; to be called before anything is written. */
export function addedTasks(
  actions: readonly FileAction[],
  tasks: readonly Task[],
  files: { read(path: string): string | null },
): number {
  const plan = actions.find(({ path }) => /(?:^|\/)@?fix_plan\.md$/.test(path));
  if (plan?.kind === "create") return distinct(tasks).length;
  return plan?.kind === "merge" ? mergePlan(files.read(plan.path) ?? "", tasks).added.length : 0;
}
