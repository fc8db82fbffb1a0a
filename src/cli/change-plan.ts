import { existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../core/errors.ts";
import { parsePlan } from "../core/plan/fix-plan.ts";
import { reasonOf, writeHint } from "../core/system-error.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { writeFileAtomic } from "../effects/files/atomic-write.ts";
import { containsPath } from "../effects/files/contains-path.ts";
import { takeLock } from "../effects/journal/lock.ts";
import { startTimeOf } from "../effects/process-tree/process-tree.ts";
import { RALPH_DIR, readOptional } from "../effects/project/project-paths.ts";
import { waitSync } from "../effects/wait-sync.ts";
import type { PlanEdit } from "../setup/plan/edit-plan.ts";
import { withSameAfter } from "../setup/plan/keep-after.ts";
import { requireAgreedPlace } from "./agent/project-trust.ts";
import type { CommandContext } from "./context.ts";
import { openPlan, type PlanFile } from "./plan-file.ts";
import { liveRun } from "./run/send-control.ts";

type PlanContext = Pick<CommandContext, "settings" | "projectDir" | "env" | "stdout" | "log"> & {
  args: { readonly quiet: boolean };
};

/** A change to a plan as it stands, and what is said of it: made of the task's number and words afterwards. */
export type PlanChange = { edit: PlanEdit; says: (task: string) => string };

/** How often a change begins anew because another program writes the plan too, and the pause before it. */
const MAX_TRIES = 200;
const PAUSE_MS = 10;

/**
 * Changes the plan and says what changed. What an agent, an editor or another `ralph plan` writes meanwhile stays: the change is
 * made anew to that.
 * @throws RalphError `environment` if the plan's form does not allow the change, the file cannot be written, or a link of the project has it
 * outside unasked
 */
export function changePlan(context: PlanContext, change: (file: PlanFile) => PlanChange, maxTries = MAX_TRIES): void {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const file = openPlan(context);
    const { edit: made, says } = change(file);
    if (made === null)
      throw new RalphError("environment", `That line of ${file.name} is not a plain box, so it stays as it is.`, {
        hint: "Change it in your editor: ralph plan edit",
      });
    const edit = withSameAfter(file.text, made);
    // A killed change may have left its lock: the same change once more takes that away.
    const isMade = edit.text === file.text && !existsSync(lockOf(file.path));
    if (isMade || isReplaced(context, file, edit.text)) {
      tell(context, edit, says);
      return;
    }
    waitSync(PAUSE_MS);
  }
  throw new RalphError("environment", "Another program is writing the plan all the time: nothing was changed.", {
    hint: "Try again in a moment.",
  });
}

function tell(context: PlanContext, edit: NonNullable<PlanEdit>, says: PlanChange["says"]): void {
  const boxes = parsePlan(edit.text, []).boxes;
  const at = boxes.findIndex(({ line }) => line === edit.line);
  if (!context.args.quiet) context.stdout(`${says(`${at + 1}: ${singleLine(boxes[at]?.text ?? "")}`)}\n`);
  if (liveRun(join(context.projectDir, RALPH_DIR)) !== null)
    context.log.info("The live run sees it at its next iteration.");
}

/** A linked plan has one lock for all its projects. Named as a temporary file, which git leaves alone. */
const lockOf = (path: string) => `${realpathSync(path)}.lock.tmp`;

/** @returns false if the plan is another by now, or another ralph is writing it: nothing is written then */
function isReplaced(context: PlanContext, { path, name, text: old, mark }: PlanFile, text: string): boolean {
  if (containsPath(context.projectDir, path)) requireAgreedPlace(context, path);
  try {
    // A linked plan stays one.
    const file = realpathSync(path);
    const { mode } = statSync(file);
    const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: "plan" };
    const lock = takeLock(lockOf(path), me);
    if (!lock.held) return false;
    try {
      if (readOptional(file) !== mark + old) return false;
      if (text !== old) writeFileAtomic(file, mark + text, mode & 0o777);
      return true;
    } finally {
      lock.release();
    }
  } catch (cause) {
    const reason = cause instanceof RalphError ? cause.cause : cause;
    throw new RalphError("environment", `${name} cannot be written: ${reasonOf(reason)}`, {
      hint: writeHint(reason, "Make the file and its folder writable for you."),
      cause,
    });
  }
}
