import type { PlanBox, PlanReport } from "../core/plan/fix-plan.ts";
import { singleLine } from "../core/text/plain-text.ts";
import type { Look, Style } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

const BAR = 20;

/** `ralph plan`: the plan's progress, and every task with its number below the heading of its section. */
export function planLines(report: PlanReport, boxes: readonly PlanBox[], { style, width }: Look): string[] {
  if (boxes.length === 0) return [`${report.file} has no boxes.`, style.dim("A task is a line like: - [ ] Say hello")];
  const filled = report.total === 0 ? 0 : Math.round((report.checked / report.total) * BAR);
  const bar = style.green("━".repeat(filled)) + style.dim("━".repeat(BAR - filled));
  const optional = report.unchecked - report.blocking_unchecked;
  const counts = `${bar} ${report.checked} of ${report.total} done${optional > 0 ? style.dim(` · ${optional} optional`) : ""}`;
  const whole = `${counts}  ${style.dim(report.file)}`;
  const head = columns(whole) <= width ? whole : fit(counts, width);
  const next = report.next[0]?.line;
  const digits = String(boxes.length).length;
  const rows = boxes.flatMap((box, at) => {
    const title = box.section === boxes[at - 1]?.section ? [] : ["", ...sectionLine(box, style, width)];
    const text = `${box.line === next ? "→" : " "} ${String(at + 1).padStart(digits)} ${box.isDone ? "✓" : "○"} ${singleLine(box.text)}`;
    return [...(at === 0 && title.length === 0 ? [""] : title), paint(fit(text, width))];

    function paint(row: string): string {
      if (box.line === next) return style.bold(row);
      return box.isDone || box.optional ? style.dim(row) : row;
    }
  });
  return [head, ...rows, ...(report.plan_complete ? ["", style.green("Every blocking box is ticked.")] : [])];
}

function sectionLine({ section, optional }: PlanBox, style: Style, width: number): string[] {
  return section === null
    ? []
    : [style.cyan(fit(`${singleLine(section)}${optional && !/optional/i.test(section) ? " (optional)" : ""}`, width))];
}
