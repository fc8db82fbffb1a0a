import { RalphError } from "../../core/errors.ts";
import { skipTask } from "../../setup/plan/edit-plan.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanMarkArgs } from "../definitions/plan.ts";
import { loadSettings } from "../load-settings.ts";
import { taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan skip N`: moves a task, with the lines below it, to the optional ones, which "done" does not wait for.
 * @throws RalphError `usage` for an unknown task, `environment` if there is no plan or no section can be optional
 */
export async function run(context: CommandContext<PlanMarkArgs>): Promise<number> {
  const [first, ...more] = loadSettings(context).settings.OPTIONAL_SECTIONS;
  if (first === undefined)
    throw new RalphError("environment", "No section of a plan is optional here: OPTIONAL_SECTIONS is empty.", {
      hint: "Name one, as in: ralph config set OPTIONAL_SECTIONS Optional",
    });
  changePlan(context, (file) => {
    const { line, optional } = taskNumbered(file, "N", context.args.number);
    const edit = optional ? { text: file.text, line } : skipTask(file.text, line, [first, ...more]);
    return { edit, says: (task) => `${optional ? "Optional already:" : "Skipped, now"} ${task}` };
  });
  return 0;
}
