import { RalphError } from "../../core/errors.ts";
import { type ListedTask, listedInPlan, taskGraph, withAfter } from "../../core/tasks/task-graph.ts";
import { sha256Of } from "../../effects/files/sha256.ts";
import { type PlanEdit, rewordTask } from "../../setup/plan/edit-plan.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanAfterArgs } from "../definitions/plan.ts";
import { type PlanFile, taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan after N [M...]`: says in a task's words which others it waits for (product.md "Task lists").
 * @throws RalphError `usage` for an unknown task, or one that would wait for itself; `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanAfterArgs>): Promise<number> {
  changePlan(context, (file) => ({ edit: waiting(context, file), says: (task) => `Changed ${task}` }));
  return 0;
}

function waiting({ args }: CommandContext<PlanAfterArgs>, file: PlanFile): PlanEdit {
  const { boxes } = file.plan;
  const place = (word: string) => boxes.indexOf(taskNumbered(file, "N", word));
  const own = place(args.number);
  const others = [...new Set(args.others.map(place))];
  const list = listedInPlan(file.plan);
  const words = others.includes(own) ? null : withAfter(list)(own, others);
  const task = list[own];
  const fault =
    words === null || task === undefined
      ? `Task ${own + 1} cannot wait for these: it is one of them, or they have the same words.`
      : newFault(list, list.with(own, { ...task, after: others }));
  if (fault !== null || words === null)
    throw new RalphError("usage", fault ?? "", { hint: "See the tasks and their numbers with: ralph plan" });
  return rewordTask(file.text, boxes[own]?.line ?? 0, words);
}

/** What is wrong with the second list that was not with the first. */
function newFault(before: readonly ListedTask[], now: readonly ListedTask[]): string | null {
  const known = new Set(taskGraph(before, sha256Of).faults);
  return taskGraph(now, sha256Of).faults.find((fault) => !known.has(fault)) ?? null;
}
