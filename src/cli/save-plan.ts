import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../core/errors.ts";
import { parsePlan } from "../core/plan/fix-plan.ts";
import { reasonOf, writeHint } from "../core/system-error.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { writeFileAtomic } from "../effects/files/atomic-write.ts";
import { containsPath } from "../effects/files/contains-path.ts";
import { RALPH_DIR } from "../effects/project/project-paths.ts";
import type { PlanEdit } from "../setup/plan/edit-plan.ts";
import { withSameAfter } from "../setup/plan/keep-after.ts";
import { requireAgreedPlace } from "./agent/project-trust.ts";
import type { CommandContext } from "./context.ts";
import type { PlanFile } from "./plan-file.ts";
import { liveRun } from "./run/send-control.ts";

type PlanContext = Pick<CommandContext, "projectDir" | "env" | "stdout" | "log"> & {
  args: { readonly quiet: boolean };
};

/**
 * Writes a changed plan and says what changed.
 * @param says made of the task's number and words after the change
 * @throws RalphError `environment` if the plan's form does not allow the change, the file cannot be written, or a link of the project has it
 * outside unasked
 */
export function savePlan(
  context: PlanContext,
  { path, name, text, mark }: PlanFile,
  made: PlanEdit,
  says: (task: string) => string,
): void {
  if (made === null)
    throw new RalphError("environment", `That line of ${name} is not a plain box, so it stays as it is.`, {
      hint: "Change it in your editor: ralph plan edit",
    });
  const edit = withSameAfter(text, made);
  if (edit.text !== text) {
    if (containsPath(context.projectDir, path)) requireAgreedPlace(context, path);
    write(path, name, mark + edit.text);
  }
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
      hint: writeHint(cause, "Make the file and its folder writable for you."),
      cause,
    });
  }
}
