import { toneOfEnd } from "../../core/end-tone.ts";
import type { IterationReceipt, Report } from "../../core/report-types.ts";
import type { TaskReceipt } from "../../core/task-receipts.ts";
import { tokensOf } from "../../core/usage.ts";
import { count, duration, money, tokens } from "../figures.ts";
import type { Shorten } from "../path.ts";
import type { Style } from "../style.ts";
import { columns, fit, oneLine, wrap } from "../text.ts";

export type ReportOptions = { width: number; style: Style; shorten: Shorten; live: boolean };

const NARROW = 90;
const INDENT = 6;

/** `ralph report`: a receipt for each iteration, for each task, and for the whole run. */
export function reportLines(report: Report, options: ReportOptions): string[] {
  const { style } = options;
  const { iterations, tasks } = report;
  return [
    ...heading(report, options),
    ...(iterations.length === 0 ? [] : ["", style.bold("Iterations")]),
    ...iterations.flatMap((row) => iterationLines(row, options)),
    ...(tasks.length === 0 ? [] : ["", style.bold("Tasks")]),
    ...tasks.flatMap((task) => taskLines(task, options)),
    "",
    ...totals(report, options),
  ];
}

function heading(report: Report, { style, width, shorten, live }: ReportOptions): string[] {
  const facts = [...new Set([report.run, report.driver, ...report.models])].filter((fact) => fact !== "").map(oneLine);
  return [
    fit(`${style.bold(oneLine(report.project_name))}  ${style.dim(facts.join(" · "))}`, width),
    ...outcome(report, style, live),
    ...wrap(shorten(oneLine(report.sentence ?? "")), width - 2)
      .filter((line) => line !== "")
      .map((line) => `  ${line}`),
  ];
}

function outcome({ stop_reason, exit_code }: Report, style: Style, live: boolean): string[] {
  if (stop_reason === null) return [live ? style.cyan("● still running") : style.red("✗ broke off")];
  const mark = { good: style.green("✓"), calm: "■", warn: style.yellow("■"), bad: style.red("✗") };
  const reason = oneLine(stop_reason);
  return [`${mark[toneOfEnd(stop_reason, exit_code)]} ${style.bold(reason)} ${style.dim(`(exit ${exit_code})`)}`];
}

/** On a wide terminal one line, else the figures and the sentence below them. */
function iterationLines(row: IterationReceipt, options: ReportOptions): string[] {
  const { style, width, shorten, live } = options;
  const number = String(row.number).padStart(4);
  const mark = markOf(row, style);
  const sentence = shorten(oneLine(row.sentence ?? (live ? "Under way." : "No end of it is recorded.")));
  const gates = row.gates.map(({ ok }) => (ok ? style.green("✓") : style.red("✗"))).join("");
  const figures = [
    cell(row.wall_ms === null ? "" : duration(row.wall_ms), 11),
    cell(tokensOf(row.usage) === 0 ? "" : tokens(tokensOf(row.usage)), 7),
    cell(row.usage.cost_usd === null ? "" : money(row.usage.cost_usd), 8),
    cell(row.files_changed === 0 ? "" : count(row.files_changed, "file"), 10),
    cell(changed(row, style), 12),
    cell(gates, Math.max(2, Math.min(6, row.gates.length))),
  ].join(" ");
  if (width < NARROW) {
    const short = figures.trim().replace(/ {2,}/g, "  ");
    return [
      fit(`${number} ${mark} ${style.dim(short)}`, width),
      ...wrap(sentence, width - INDENT - 1).map((line) => `${" ".repeat(INDENT + 1)}${line}`),
    ];
  }
  return [`${number} ${mark} ${figures}  ${fit(sentence, Math.max(10, width - columns(figures) - INDENT - 3))}`];
}

function markOf({ outcome, progress }: IterationReceipt, style: Style): string {
  if (outcome === "failed" || outcome === "interrupted") return style.red("✗");
  if (outcome === "stopped") return "■";
  if (outcome === "open") return style.dim("•");
  return progress ? style.green("✓") : style.yellow("•");
}

function taskLines(task: TaskReceipt, { style, width, shorten }: ReportOptions): string[] {
  const { first_iteration: first, last_iteration: last } = task;
  const figures = [
    first === last ? `iteration ${first}` : `iterations ${first} to ${last}`,
    duration(task.wall_ms),
    task.tokens === 0 ? null : `${tokens(task.tokens)} tokens`,
    task.cost_usd === null ? null : money(task.cost_usd),
    changed(task, style) || null,
  ].filter((figure) => figure !== null);
  const known = task.tasks.map((text) => shorten(oneLine(text)));
  const names =
    known.length > 0 ? known : [task.boxes === 0 ? "no box ticked since" : count(task.boxes, "box", "boxes")];
  const mark = task.boxes === 0 ? style.dim("•") : style.green("✓");
  return [
    ...names.map((name) => `   ${mark} ${fit(name, width - INDENT)}`),
    style.dim(fit(`     ${figures.join(" · ")}`, width)),
  ];
}

function totals(report: Report, { style, width }: ReportOptions): string[] {
  const { usage, plan } = report;
  const cached = usage.cache_read_tokens;
  const gates = report.gates.map(
    ({ command, passed, failed }) => `${oneLine(command)}: ${passed} green, ${failed} red`,
  );
  const rows: [string, string][] = [
    [
      report.iterations.length === 0 ? "work" : "iterations",
      `${report.iterations.length === 0 ? "" : `${report.iterations.length}, `}${count(report.calls, "call")}, ${count(report.tools, "tool")}`,
    ],
    [
      "time",
      `${duration(report.wall_ms)}, the agent ${duration(report.agent_ms)}${report.waited_ms > 0 ? `, waiting ${duration(report.waited_ms)}` : ""}`,
    ],
    [
      "tokens",
      tokensOf(usage) === 0
        ? ""
        : `${tokens(usage.input_tokens ?? 0)} in, ${tokens(usage.output_tokens ?? 0)} out${cached === null ? "" : `, ${tokens(cached)} from the cache`}`,
    ],
    ["cost", usage.cost_usd === null ? "" : money(usage.cost_usd)],
    [
      "changes",
      `${count(report.files_changed, "file")}${changed(report, style) === "" ? "" : `, ${changed(report, style)}`}, ${count(report.commits, "commit")}`,
    ],
    ["plan", plan === null || plan.total === 0 ? "" : `${plan.checked} of ${plan.total} done`],
    ...gates.map((gate): [string, string] => ["gate", gate]),
  ];
  return [
    style.bold("Total"),
    ...rows
      .filter(([, value]) => value !== "")
      .map(([name, value]) => fit(`  ${style.dim(name.padEnd(12))}${value}`, width)),
  ];
}

function changed({ lines_added, lines_removed }: { lines_added: number; lines_removed: number }, style: Style): string {
  return [
    lines_added > 0 ? style.green(`+${lines_added}`) : "",
    lines_removed > 0 ? style.red(`-${lines_removed}`) : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function cell(text: string, width: number): string {
  return `${" ".repeat(Math.max(0, width - columns(text)))}${text}`;
}
