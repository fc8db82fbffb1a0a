import { projectTitle } from "../core/project-name.ts";
import type { StatusReport } from "../core/report/status-report.ts";
import { taskTitle } from "../core/run-title.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { typedWord } from "../core/text/shell-words.ts";
import { cost, duration } from "./text/figures.ts";
import { BROKE_OFF } from "./text/marks.ts";
import { fitPath } from "./text/path.ts";
import type { Style } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

export type ProcessOptions = {
  style: Style;
  width: number;
  /** Epoch ms. */
  now: number;
  /** How many projects are not shown. */
  hidden: number;
  /** Worktrees that a kill left, in which no run can be. */
  half: readonly { owner: string; name: string; state: string }[];
  /** The user's folder, for short paths. */
  home: string | undefined;
};

/** `ralph ps`: two lines a project, its run and where it is. */
export function processLines(reports: readonly StatusReport[], options: ProcessOptions): string[] {
  const { style, hidden, half } = options;
  const rest = [
    ...half.map(
      ({ owner, name, state }) =>
        `  ${singleLine(`${projectTitle(owner)}/${name}`)}  ${style.yellow(state)} worktree · ralph worktrees remove ${name} -C ${singleLine(typedWord(owner))}`,
    ),
    ...(hidden === 0 ? [] : [style.dim(`${count(hidden, "older project")}: ralph ps --all`)]),
  ];
  if (reports.length === 0)
    return [hidden === 0 ? "No project of yours has a run yet." : "No run of the last day.", ...rest];
  const widest = Math.max(...reports.map((report) => columns(nameOf(report))));
  return [...reports.flatMap((report) => projectLines(report, widest, options)), ...rest];
}

/** Live ones, those that need a person, the newest: of live ones the last begun, as what happens in them would have them swap all the time. */
export function byUrgency(a: StatusReport, b: StatusReport): number {
  const rank = ({ status, needs }: StatusReport) => (status === "running" ? 0 : 2) - (needs.length > 0 ? 1 : 0);
  const since = ({ status, started_at, updated_at }: StatusReport) =>
    (status === "running" ? started_at : updated_at) ?? "";
  return rank(a) - rank(b) || since(b).localeCompare(since(a));
}

/** What a project's newest run is at: a word for its state, and what else is to be told, each as plain text. */
export function projectWords(report: StatusReport, now: number): { isLive: boolean; word: string; more: string[] } {
  const { status, stop_reason, updated_at } = report;
  const isLive = status === "running";
  const word = isLive
    ? (report.phase ?? "running")
    : (stop_reason ?? (status === "not_started" ? "not started" : BROKE_OFF));
  const more = [
    report.iteration > 0 ? `iteration ${report.iteration}` : null,
    taskTitle(report.task) ?? report.plan?.next[0]?.text ?? null,
    report.plan === null ? null : `plan ${report.plan.checked}/${report.plan.total}`,
    cost(report),
    updated_at === null || isLive ? null : `${duration(Math.max(0, now - Date.parse(updated_at)))} ago`,
  ].filter((part) => part !== null);
  return { isLive, word, more };
}

function projectLines(report: StatusReport, widest: number, { style, width, now, home }: ProcessOptions): string[] {
  const { needs } = report;
  const { isLive, word, more } = projectWords(report, now);
  const state = singleLine(word);
  const parts = [isLive ? style.bold(state) : state, ...more.map(singleLine)];
  const title = nameOf(report);
  const name = title + " ".repeat(widest - columns(title));
  const place = shortHome(report.project, home);
  const line = `${isLive ? "●" : " "} ${name}  ${parts.join(" · ")}`;
  const needed = needs.length === 0 ? "" : style.yellow(`needs you: ${count(needs.length, "thing")}  `);
  return [
    fit(line, width),
    `${" ".repeat(widest + 4)}${needed}${style.dim(fitPath(singleLine(place), Math.max(8, width - widest - 4 - columns(needed))))}`,
  ];
}

/** A project's path as its user writes it. @param home the user's folder */
export function shortHome(project: string, home: string | undefined): string {
  return home !== undefined && project.startsWith(`${home}/`) ? `~${project.slice(home.length)}` : project;
}

/** The name that `-C` takes. */
export function nameOf({ project }: Pick<StatusReport, "project">): string {
  return singleLine(projectTitle(project));
}
