import { realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import { type ParsedPlan, type PlanBox, parsePlan } from "../core/plan/fix-plan.ts";
import { reasonOf } from "../core/system-error.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { writeFileAtomic } from "../effects/files/atomic-write.ts";
import { hasMode, projectPaths, RALPH_DIR, requireText } from "../effects/project/project-paths.ts";
import type { PlanEdit } from "../setup/plan/edit-plan.ts";
import { wholeNumber } from "./args/whole-number.ts";
import type { CommandContext } from "./context.ts";
import { loadSettings } from "./load-settings.ts";
import { liveRun } from "./run/send-control.ts";

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

type PlanContext = Pick<CommandContext, "projectDir" | "stdout" | "log"> & { args: { readonly quiet: boolean } };

/**
 * Reads the project's plan.
 * @param named another file
 * @throws RalphError `environment` if there is no plan
 */
export function openPlan(context: Parameters<typeof loadSettings>[0], named?: string): PlanFile {
  const { settings } = loadSettings(context);
  const { projectDir } = context;
  const path = named === undefined ? projectPaths(projectDir, null, null).plan : resolve(projectDir, named);
  if (path === null)
    throw new RalphError("environment", "This project has no plan.", {
      hint: hasMode(projectDir, "plan")
        ? "To run PROMPT-plan.md: ralph run plan"
        : "Write .ralph/@fix_plan.md: a list of boxes, `- [ ] task`.",
    });
  const whole = requireText(path, "The plan", "Name an existing file.");
  const text = whole.replace(/^\uFEFF/, "");
  const name = named ?? relative(projectDir, path).replaceAll("\\", "/");
  const mark = whole.slice(0, whole.length - text.length);
  return { path, name, text, mark, plan: parsePlan(text, settings.OPTIONAL_SECTIONS) };
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

/**
 * Writes a changed plan and says what changed.
 * @param says made of the task's number and words after the change
 * @throws RalphError `environment` if the plan's form does not allow the change, or the file cannot be written
 */
export function savePlan(
  context: PlanContext,
  { path, name, text, mark }: PlanFile,
  edit: PlanEdit,
  says: (task: string) => string,
): void {
  if (edit === null)
    throw new RalphError("environment", `That line of ${name} is not a plain box, so it stays as it is.`, {
      hint: "Change it in your editor: ralph plan edit",
    });
  if (edit.text !== text) write(path, name, mark + edit.text);
  const boxes = parsePlan(edit.text, []).boxes;
  const at = boxes.findIndex(({ line }) => line === edit.line);
  if (!context.args.quiet) context.stdout(`${says(`${at + 1}: ${singleLine(boxes[at]?.text ?? "")}`)}\n`);
  if (liveRun(join(context.projectDir, RALPH_DIR)) !== null)
    context.log.info("The live run sees it at its next iteration.");
}

function write(path: string, name: string, text: string): void {
  try {
    // A linked plan stays one.
    const file = realpathSync(path);
    writeFileAtomic(file, text, statSync(file).mode & 0o777);
  } catch (cause) {
    throw new RalphError("environment", `${name} cannot be written: ${reasonOf(cause)}`, {
      hint: "Make the file and its folder writable for you.",
      cause,
    });
  }
}
