import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { editorCommand } from "../../effects/terminal/editor.ts";
import { editorAtLine } from "../../effects/terminal/editor-at-line.ts";
import { runInForeground } from "../../effects/terminal/run-in-foreground.ts";
import { rewordTask, taskText } from "../../setup/plan/edit-plan.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanEditArgs } from "../definitions/plan.ts";
import { openPlan, taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan edit [N [TEXT]]`: opens the plan in the user's editor, at a task; or gives a task new words.
 * @throws RalphError `usage` for an unknown task, `environment` if there is no plan, no terminal or no editor
 */
export async function run(context: CommandContext<PlanEditArgs>): Promise<number> {
  const { args, env, isTty } = context;
  const file = openPlan(context);
  const line = args.number === undefined ? null : taskNumbered(file, "N", args.number).line;
  const words = args.text.join(" ");
  if (line !== null && args.text.length > 0) {
    if (taskText(words) === "") throw new RalphError("usage", "The task would have no words.");
    changePlan(context, (now) => ({
      edit: rewordTask(now.text, taskNumbered(now, "N", args.number ?? "").line, words),
      says: (task) => `Changed ${task}`,
    }));
    return 0;
  }
  if (!isTty.stdin || !isTty.stdout)
    throw new RalphError("environment", "An editor needs a terminal.", {
      hint: 'To change the words of a task without one: ralph plan edit 3 "New words"',
    });
  const editor = editorCommand(env, process.platform);
  const code = runInForeground(editorAtLine(editor, file.path, line), env);
  if (code === 0) return 0;
  throw new RalphError(
    "environment",
    code === null
      ? `The editor ${JSON.stringify(editor[0])} could not be started.`
      : `The editor ended with exit code ${code}.`,
    { hint: "Name one that works: EDITOR=nano ralph plan edit" },
  );
}
