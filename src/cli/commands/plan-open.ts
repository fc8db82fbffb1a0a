import { markTask } from "../../setup/plan/edit-plan.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanMarkArgs } from "../definitions/plan.ts";
import { taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan open N`: takes the tick from a task.
 * @throws RalphError `usage` for an unknown task, `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanMarkArgs>): Promise<number> {
  changePlan(context, (file) => {
    const { line, isDone } = taskNumbered(file, "N", context.args.number);
    return { edit: markTask(file.text, line, false), says: (task) => `${isDone ? "Open:" : "Open already:"} ${task}` };
  });
  return 0;
}
