import { planReport } from "../../core/plan/fix-plan.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { planLines } from "../../view/plan-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { PlanArgs } from "../definitions/plan.ts";
import { openPlan } from "../plan-file.ts";

/**
 * `ralph plan [FILE] [--json]`: the plan counted, and every task with its number.
 * @throws RalphError `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanArgs>): Promise<number> {
  const { name, plan } = openPlan(context, context.args.file);
  const report = planReport(name, plan);
  const tasks = plan.boxes.map(({ isDone, ...box }, at) => ({ number: at + 1, ...box, done: isDone }));
  if (context.args.json) context.stdout(jsonFile({ ...report, tasks }));
  else
    context.stdout(
      `${planLines(report, plan.boxes, { style: style(context.color), width: context.rowColumns }).join("\n")}\n`,
    );
  return 0;
}
