import { RalphError } from "../../core/errors.ts";
import { moveTask } from "../../setup/plan/edit-plan.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanMoveArgs } from "../definitions/plan.ts";
import { taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan move N --before M`: moves a task, with the lines below it.
 * @throws RalphError `usage` for an unknown task or no place, `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanMoveArgs>): Promise<number> {
  const { number, before } = context.args;
  if (before === undefined)
    throw new RalphError("usage", "It is not said where to.", { hint: "As in: ralph plan move 7 --before 2" });
  changePlan(context, (file) => {
    const [own, other] = [taskNumbered(file, "N", number), taskNumbered(file, "--before", before)];
    const edit = moveTask(file.text, own.line, other.line);
    if (edit === null)
      throw new RalphError("environment", `Task ${number} cannot go before task ${before}, which is a part of it.`, {
        hint: "Change it in your editor: ralph plan edit",
      });
    return { edit, says: (task) => `Moved, now ${task}` };
  });
  return 0;
}
