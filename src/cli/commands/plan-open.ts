import { markTask } from "../../setup/plan/edit-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanMarkArgs } from "../definitions/plan.ts";
import { openPlan, taskNumbered } from "../plan-file.ts";
import { savePlan } from "../save-plan.ts";

/**
 * `ralph plan open N`: takes the tick from a task.
 * @throws RalphError `usage` for an unknown task, `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanMarkArgs>): Promise<number> {
  const file = openPlan(context);
  const { line, isDone } = taskNumbered(file, "N", context.args.number);
  savePlan(context, file, markTask(file.text, line, false), (task) => `${isDone ? "Open:" : "Open already:"} ${task}`);
  return 0;
}
