import { RalphError } from "../../core/errors.ts";
import { addTask, type Place, type PlanEdit, taskText } from "../../setup/plan/edit-plan.ts";
import { holdsTasks } from "../../setup/plan/headings.ts";
import { changePlan } from "../change-plan.ts";
import type { CommandContext } from "../context.ts";
import type { PlanAddArgs } from "../definitions/plan.ts";
import { type PlanFile, taskNumbered } from "../plan-file.ts";

/**
 * `ralph plan add TEXT`: adds a task to the plan.
 * @throws RalphError `usage` for no words or an unknown task, `environment` if there is no plan or no such section
 */
export async function run(context: CommandContext<PlanAddArgs>): Promise<number> {
  const { args } = context;
  const words = args.text.join(" ");
  if (taskText(words) === "")
    throw new RalphError("usage", "The task has no words.", { hint: 'As in: ralph plan add "Print the bill"' });
  changePlan(context, (file) => ({ edit: withTask(context, file, words), says: (task) => `Added ${task}` }));
  return 0;
}

function withTask(context: CommandContext<PlanAddArgs>, file: PlanFile, words: string): PlanEdit {
  const place = placeOf(context, file);
  const edit = addTask(file.text, words, place);
  if (edit === null && place.kind === "section") {
    const sections = [...new Set(file.plan.boxes.flatMap(({ section }) => section ?? []))];
    throw new RalphError("environment", `${file.name} has no section ${JSON.stringify(place.title)}.`, {
      hint: sections.length === 0 ? "It has no sections with tasks." : `It has: ${sections.join(", ")}.`,
    });
  }
  return edit;
}

function placeOf({ args }: CommandContext<PlanAddArgs>, file: PlanFile): Place {
  if (args.section !== undefined) return { kind: "section", title: args.section };
  for (const priority of ["high", "medium", "low"] as const) if (args[priority]) return { kind: "priority", priority };
  for (const kind of ["before", "after"] as const) {
    const word = args[kind];
    if (word !== undefined) return { kind, line: taskNumbered(file, `--${kind}`, word).line };
  }
  const open = file.plan.tasks.filter(({ optional }) => !optional);
  const due = open.length > 0 ? open : file.plan.boxes.filter((box) => !box.optional && holdsTasks(box.section));
  return { kind: "last", openLines: due.map(({ line }) => line) };
}
