import type { StatusReport } from "../core/status-report.ts";
import { count, duration, money, tokens } from "./figures.ts";
import { clockTime } from "./line.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";

/** `ralph status` as at most ten lines. */
export function statusLines(report: StatusReport, options: { style: Style; width: number; now: number }): string[] {
  const { style, width, now } = options;
  if (report.run === null)
    return [`${style.bold("not started")}  ${report.project}`, style.dim("Start with: ralph run")];
  const rows: [string, string | null][] = [
    ["run", `${report.run}${report.pid === null ? "" : ` (pid ${report.pid})`}`],
    ["driver", report.driver],
    [
      "iteration",
      `${report.iteration}${report.last_action === null || report.stop_reason !== null ? "" : ` · ${report.last_action}`}`,
    ],
    ["plan", planText(report)],
    [
      "calls",
      `${report.calls.used}${report.calls.limit === null ? "" : ` of ${report.calls.limit}`} this hour${report.calls.resets_at === null ? "" : `, anew at ${clockTime(report.calls.resets_at)}`}`,
    ],
    ["spent", spent(report)],
    ["circuit", circuit(report, style)],
    [
      "updated",
      report.updated_at === null ? null : `${duration(Math.max(0, now - Date.parse(report.updated_at)))} ago`,
    ],
  ];
  const head = `${statusWord(report, style)}  ${report.project}`;
  return [
    head,
    ...rows
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${style.dim(name.padEnd(10))}${fit(value ?? "", width - 10)}`),
  ];
}

function statusWord(report: StatusReport, style: Style): string {
  const paint = {
    completed: style.green,
    running: style.cyan,
    blocked: style.yellow,
    unknown: style.red,
    not_started: style.dim,
  }[report.status];
  const detail =
    report.stop_reason ??
    (report.status === "unknown" ? "the process is gone; the next `ralph run` goes on" : report.phase);
  return `${style.bold(paint(report.status))}${detail === null ? "" : ` (${detail})`}`;
}

function planText(report: StatusReport): string | null {
  if (report.plan === null || report.plan.total === 0) return null;
  const next = report.plan.next[0];
  return `${report.plan.checked} of ${report.plan.total} done${next === undefined ? "" : ` · next: ${oneLine(next.text)}`}`;
}

function spent(report: StatusReport): string | null {
  if (report.tokens === 0 && report.cost_usd === null) return null;
  return [`${tokens(report.tokens)} tokens`, report.cost_usd === null ? null : money(report.cost_usd)]
    .filter((part) => part !== null)
    .join(" · ");
}

function circuit(report: StatusReport, style: Style): string {
  const { state, reason, consecutive_no_progress: idle } = report.circuit;
  const text = `${String(state)}${typeof reason === "string" && reason !== "" ? ` · ${oneLine(reason)}` : ""}${typeof idle === "number" && idle > 0 ? ` · ${count(idle, "iteration")} without progress` : ""}`;
  return state === "OPEN" ? style.red(text) : text;
}
