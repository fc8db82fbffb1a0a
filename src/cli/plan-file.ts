import { resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import { type ParsedPlan, type PlanBox, parsePlan } from "../core/plan/fix-plan.ts";
import { count } from "../core/text/count.ts";
import { WRITE_PLAN_HINT } from "../core/text/hints.ts";
import { slashPath } from "../effects/files/slash-path.ts";
import { hasMode, noFileAsPlan, projectPaths, READ_HINT, requireText } from "../effects/project/project-paths.ts";
import { wholeNumber } from "./args/whole-number.ts";
import { loadSettings } from "./load-settings.ts";

/** A plan as it is on the disk. */
export type PlanFile = {
  path: string;
  /** As the user would name it. */
  name: string;
  /** Without the byte order mark. */
  text: string;
  mark: string;
  plan: ParsedPlan;
};

/**
 * Reads the project's plan.
 * @param named another file
 * @throws RalphError `environment` if there is no plan
 */
export function openPlan(context: Parameters<typeof loadSettings>[0], named?: string): PlanFile {
  const { settings } = loadSettings(context);
  const { projectDir } = context;
  const path = named === undefined ? ownPlan(projectDir) : resolve(projectDir, named);
  if (path === null)
    throw new RalphError("environment", "This project has no plan.", {
      hint: hasMode(projectDir, "plan") ? "To run PROMPT-plan.md: ralph run plan" : WRITE_PLAN_HINT,
    });
  const whole = requireText(path, "The plan", named === undefined ? READ_HINT : "Name an existing file.");
  const text = whole.replace(/^\uFEFF/, "");
  const name = named ?? slashPath(projectDir, path);
  const mark = whole.slice(0, whole.length - text.length);
  return { path, name, text, mark, plan: parsePlan(text, settings.OPTIONAL_SECTIONS) };
}

function ownPlan(projectDir: string): string | null {
  const paths = projectPaths(projectDir, null, null);
  return paths.plan ?? noFileAsPlan(paths);
}

/**
 * The task with a number, as `ralph plan` prints it.
 * @throws RalphError `usage` if there is none
 */
export function taskNumbered({ plan, name }: PlanFile, flag: string, word: string): PlanBox {
  const box = plan.boxes[wholeNumber(flag, word) - 1];
  if (box === undefined)
    throw new RalphError("usage", `There is no task ${word}: ${name} has ${count(plan.boxes.length, "task")}.`, {
      hint: "See their numbers with: ralph plan",
    });
  return box;
}
