import { projectTitle } from "../core/project-name.ts";
import type { StatusReport } from "../core/report/status-report.ts";
import { taskTitle } from "../core/run-title.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { duration, spent } from "./text/figures.ts";
import { fitPath } from "./text/path.ts";
import type { Style } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

/** `hidden`: how many projects are not shown; `home`: the user's folder, for short paths. */
export type ProcessOptions = { style: Style; width: number; now: number; hidden: number; home: string | undefined };

/** `ralph ps`: two lines a project, its run and where it is. */
export function processLines(reports: readonly StatusReport[], options: ProcessOptions): string[] {
  const { style, hidden } = options;
  const rest = hidden === 0 ? [] : [style.dim(`${count(hidden, "older project")}: ralph ps --all`)];
  if (reports.length === 0)
    return [hidden === 0 ? "No project of yours has a run yet." : "No run of the last day.", ...rest];
  const widest = Math.max(...reports.map((report) => columns(nameOf(report))));
  return [...reports.flatMap((report) => projectLines(report, widest, options)), ...rest];
}

function projectLines(report: StatusReport, widest: number, { style, width, now, home }: ProcessOptions): string[] {
  const { status, stop_reason, needs, updated_at } = report;
  const isLive = status === "running";
  const word = isLive
    ? (report.phase ?? "running")
    : (stop_reason ?? (status === "not_started" ? "not started" : "broken off"));
  const parts = [
    isLive ? style.bold(word) : word,
    report.iteration > 0 ? `iteration ${report.iteration}` : null,
    taskTitle(report.task) ?? report.plan?.next[0]?.text ?? null,
    report.plan === null ? null : `plan ${report.plan.checked}/${report.plan.total}`,
    spent(report.cost_usd),
    updated_at === null || isLive ? null : `${duration(Math.max(0, now - Date.parse(updated_at)))} ago`,
  ].filter((part) => part !== null);
  const name = nameOf(report).padEnd(widest);
  const place =
    home !== undefined && report.project.startsWith(`${home}/`)
      ? `~${report.project.slice(home.length)}`
      : report.project;
  const line = `${isLive ? "●" : " "} ${name}  ${parts.map(singleLineOf).join(" · ")}`;
  const needed = needs.length === 0 ? "" : style.yellow(`needs you: ${count(needs.length, "thing")}  `);
  return [
    fit(line, width),
    `${" ".repeat(widest + 4)}${needed}${style.dim(fitPath(singleLine(place), Math.max(8, width - widest - 4 - columns(needed))))}`,
  ];
}

/** The name that `-C` takes. */
function nameOf({ project }: StatusReport): string {
  return singleLine(projectTitle(project));
}

/** Styles stay. */
function singleLineOf(text: string): string {
  return text.includes("\u001b[") ? text : singleLine(text);
}
