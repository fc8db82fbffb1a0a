import type { PlanReport } from "../core/plan/fix-plan.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import type { Style } from "./text/style.ts";
import { fit } from "./text/text.ts";

const SHOWN = 10;
const BAR = 20;

/** `ralph plan`: the plan's progress, and the next tasks. */
export function planLines(report: PlanReport, { style, width }: { style: Style; width: number }): string[] {
  if (report.total === 0) return [`${report.file} has no boxes.`, style.dim("A task is a line like: - [ ] Say hello")];
  const filled = Math.round((report.checked / report.total) * BAR);
  const bar = style.green("━".repeat(filled)) + style.dim("━".repeat(BAR - filled));
  const optional = report.unchecked - report.blocking_unchecked;
  const head = `${bar} ${report.checked} of ${report.total} done${optional > 0 ? style.dim(` · ${optional} optional`) : ""}  ${style.dim(report.file)}`;
  if (report.plan_complete) return [head, style.green("Every blocking box is ticked.")];
  const tasks = report.next.slice(0, SHOWN).map((task) => {
    const section = task.section === null ? "" : ` (${singleLine(task.section)}${task.optional ? ", optional" : ""})`;
    return fit(`  ${String(task.line).padStart(4)}  ${singleLine(task.text)}${section}`, width);
  });
  const more = report.next.length - SHOWN;
  return [
    head,
    "",
    ...tasks,
    ...(more > 0 ? [style.dim(`        and ${count(more, "more task", "more tasks")}`)] : []),
  ];
}
