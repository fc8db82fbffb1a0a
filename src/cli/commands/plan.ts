import { relative, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { parsePlan, planReport } from "../../core/plan/fix-plan.ts";
import { hasMode, projectPaths, requireText } from "../../effects/project/project-paths.ts";
import { planLines } from "../../view/plan-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { PlanArgs } from "../definitions/plan.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * `ralph plan [FILE] [--json]`: the plan counted, and the next tasks.
 * @throws RalphError `environment` if there is no plan
 */
export async function run(context: CommandContext<PlanArgs>): Promise<number> {
  const { settings } = loadSettings(context);
  const named = context.args.file;
  const path =
    named === undefined ? projectPaths(context.projectDir, null, null).plan : resolve(context.projectDir, named);
  if (path === null)
    throw new RalphError("environment", "This project has no plan.", {
      hint: hasMode(context.projectDir, "plan")
        ? "To run PROMPT-plan.md: ralph run plan"
        : "Write .ralph/@fix_plan.md: a list of boxes, `- [ ] task`.",
    });
  const text = requireText(path, "The plan", "Name an existing file.");
  const report = planReport(
    named ?? relative(context.projectDir, path).replaceAll("\\", "/"),
    parsePlan(text, settings.OPTIONAL_SECTIONS),
  );
  if (context.args.json) context.stdout(`${JSON.stringify(report, null, 2)}\n`);
  else context.stdout(`${planLines(report, { style: style(context.color), width: context.rowColumns }).join("\n")}\n`);
  return 0;
}
