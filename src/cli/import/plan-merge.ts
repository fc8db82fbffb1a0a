import { type MergeResult, mergePlan } from "../../setup/plan/merge.ts";
import type { Task } from "../../setup/plan/task.ts";
import type { FileAction } from "../../setup/scaffold.ts";

/** What the tasks change in an existing plan; null for a new one. Call it before anything is written. */
export function planMerge(
  actions: readonly FileAction[],
  tasks: readonly Task[],
  files: { read(path: string): string | null },
): MergeResult | null {
  const plan = actions.find(({ path }) => /(?:^|\/)@?fix_plan\.md$/.test(path));
  if (plan?.kind === "create") return null;
  const before = plan === undefined ? null : files.read(plan.path);
  return mergePlan(before ?? "", before === null ? [] : tasks);
}
