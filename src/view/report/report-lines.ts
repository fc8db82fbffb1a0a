import { SECOND_MS } from "../../core/durations.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { namedSentence } from "../../core/report/iteration-name.ts";
import {
  agentNames,
  countedIterations,
  type IterationReceipt,
  isOfOthers,
  type Report,
} from "../../core/report/report-types.ts";
import type { TaskReceipt } from "../../core/report/task-receipts.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { needLines } from "../needs.ts";
import { PROOF } from "../proof-words.ts";
import { cost, duration, lineFigures, shortId, tokenClasses, tokenCount, tokens } from "../text/figures.ts";
import { iterationMark } from "../text/iteration-mark.ts";
import { BROKE_OFF, END_MARKS, endName, gateMark } from "../text/marks.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { columns, fit, hanging, wrap } from "../text/text.ts";
import { verdictOf } from "./iteration-entry.ts";
import { stepAfter } from "./step-after.ts";

export type ReportLineOptions = { width: number; style: Style; shorten: Shorten; live: boolean };

/** Columns of a number, its mark and the blanks around them. */
const INDENT = 7;
/** Minimum columns for a sentence beside the figures; with less room it goes below them. */
const LEAST_SENTENCE = 40;
const TASK_INDENT = 5;
const TOTAL_INDENT = 14;

/** `ralph report`: a receipt for each iteration, for each task, and for the whole run. */
export function reportLines(report: Report, options: ReportLineOptions): string[] {
  const { style } = options;
  const { iterations, tasks } = report;
  return [
    ...heading(report, options),
    ...(iterations.length === 0 ? [] : ["", style.bold("Iterations"), ...iterationTable(iterations, options)]),
    ...(tasks.length === 0 ? [] : ["", style.bold("Tasks")]),
    ...tasks.flatMap((task) => taskLines(task, options)),
    ...commitLines(iterations, options),
    "",
    ...totals(report, options),
    ...(report.needs.length === 0 ? [] : ["", ...needLines(report.needs, options)]),
  ];
}

function heading(report: Report, { style, width, shorten, live }: ReportLineOptions): string[] {
  const name = style.bold(report.title);
  const facts = [report.run, ...agentNames(report)].map(singleLine);
  const whole = `${name}  ${style.dim(facts.join(" · "))}`;
  return [
    ...(columns(whole) <= width ? [whole] : [fit(name, width), ...flow(facts, " · ", width).map(style.dim)]),
    ...outcome(report, style, live),
    ...wrap(shorten(singleLine(report.sentence ?? "")), width - 2)
      .filter((line) => line !== "")
      .map((line) => `  ${line}`),
  ];
}

function outcome({ stop_reason, exit_code }: Report, style: Style, live: boolean): string[] {
  if (stop_reason === null) return [live ? style.cyan("● still running") : style.red(`${END_MARKS.bad} ${BROKE_OFF}`)];
  return [`${endName(stop_reason, exit_code, style)} ${style.dim(`(exit ${exit_code})`)}`];
}

/** Figures in columns with the sentence beside them, or below them if the room is too small. */
function iterationTable(rows: readonly IterationReceipt[], options: ReportLineOptions): string[] {
  const { style, width } = options;
  const gates = Math.max(0, ...rows.map((row) => row.gates.length));
  const widths = [11, 7, 8, 9, 12, gates === 0 ? 0 : Math.max(gates, "gates".length)];
  const table = (cells: readonly string[]) =>
    cells
      .map((text, column) => cell(text, widths[column] ?? 0))
      .filter((text) => text !== "")
      .join(" ");
  const names = table(["time", "tokens", "cost", "files", "lines", "gates"].slice(0, gates === 0 ? 5 : 6));
  const room = width - INDENT - columns(names) - 2;
  if (room < LEAST_SENTENCE) return rows.flatMap((row) => folded(row, options));
  return [style.dim(`${"#".padStart(4)}${" ".repeat(INDENT - 4)}${names}`), ...rows.flatMap(besideFigures)];

  function besideFigures(row: IterationReceipt): string[] {
    const beside = ` ${table(figuresOf(row, style))}  `;
    const [first = "", ...rest] = wrap(sentenceOf(row, options), room);
    const indent = " ".repeat(columns(beside) + INDENT - 1);
    return [`${numberCell(row, style)}${beside}${first}`, ...rest.map((line) => `${indent}${line}`)];
  }
}

function folded(row: IterationReceipt, options: ReportLineOptions): string[] {
  const { style, width } = options;
  // No heading says here what a mark at the end means.
  const gates = row.gates.length === 0 ? "" : `gates ${gateMarks(row, style)}`;
  const figures = flow(
    [...figuresOf(row, style).slice(0, -1), gates].filter((figure) => figure !== ""),
    "  ",
    width - INDENT,
  );
  const [first = "", ...rest] = [...figures.map(style.dim), ...wrap(sentenceOf(row, options), width - INDENT)];
  return [`${numberCell(row, style)} ${first}`, ...rest.map((line) => `${" ".repeat(INDENT)}${line}`)];
}

function numberCell(row: IterationReceipt, style: Style): string {
  return `${String(row.number).padStart(4)} ${iterationMark(row, style)}`;
}

/** Time, tokens, cost, files, lines and gates; "" for a missing or unknown figure. */
function figuresOf(row: IterationReceipt, style: Style): string[] {
  return [
    row.wall_ms === null ? "" : duration(row.wall_ms),
    totalTokens(row.usage) === 0 ? "" : tokens(totalTokens(row.usage)),
    cost(row.usage) ?? "",
    row.files_changed === 0 ? "" : count(row.files_changed, "file"),
    changed(row, style),
    gateMarks(row, style),
  ];
}

function gateMarks({ gates }: IterationReceipt, style: Style): string {
  return gates.map((gate) => gateMark(gate, style)).join("");
}

function sentenceOf(row: IterationReceipt, { shorten, live }: ReportLineOptions): string {
  const verdict = namedSentence(row.name, verdictOf(row, live));
  const sentence = shorten([verdict, ...new Set(row.looks), ...row.git].map(singleLine).join(" "));
  return row.waited_ms < SECOND_MS ? sentence : `${sentence} Waited ${duration(row.waited_ms)}.`;
}

function taskLines(task: TaskReceipt, { style, width, shorten }: ReportLineOptions): string[] {
  const { first_iteration: first, last_iteration: last } = task;
  const figures = [
    first === 0 ? null : first === last ? `iteration ${first}` : `iterations ${first} to ${last}`,
    first === 0 && task.iterations > 0 ? count(task.iterations, "iteration") : null,
    task.wall_ms === 0 ? null : duration(task.wall_ms),
    task.tokens === 0 ? null : tokenCount(task.tokens),
    cost(task),
    changed(task, style) || null,
  ].filter((figure) => figure !== null);
  const known = task.tasks.map((text) => shorten(singleLine(text)));
  const names =
    known.length > 0 ? known : [task.boxes === 0 ? "no box ticked since" : count(task.boxes, "box", "boxes")];
  const mark = task.boxes === 0 ? style.dim("•") : style.green("✓");
  const room = width - TASK_INDENT;
  return [
    ...names.flatMap((name) => hanging(`   ${mark} `, name, width)),
    ...flow(figures, " · ", room).map((line) => `${" ".repeat(TASK_INDENT)}${style.dim(line)}`),
  ];
}

/** The commits of all iterations, the first one first. */
function commitLines(rows: readonly IterationReceipt[], { style, width }: ReportLineOptions): string[] {
  const commits = rows.flatMap((row) => row.commit_subjects.toReversed());
  if (commits.length === 0) return [];
  const lines = commits.map(({ id, subject }) =>
    fit(`   ${style.yellow(shortId(id))} ${singleLine(subject ?? "")}`.trimEnd(), width),
  );
  return ["", style.bold("Commits"), ...lines];
}

function totals(report: Report, { style, width }: ReportLineOptions): string[] {
  const { usage, plan, next } = report;
  const task = next?.task == null ? "" : ` · next: ${singleLine(next.task)}`;
  const gates = report.gates.map(
    ({ command, passed, failed, flakes }) =>
      `${singleLine(command)}: ${passed} green, ${failed} red${flakes === 0 ? "" : `, ${count(flakes, "flake")}`}`,
  );
  const counted = countedIterations(report);
  const hasCount = report.iterations.length > 0 || counted > 0;
  const rows: [string, string][] = [
    [
      hasCount ? "iterations" : "work",
      `${hasCount ? `${counted}, ` : ""}${count(report.calls, "call")}${isOfOthers(report) ? "" : `, ${count(report.tools, "tool")}`}`,
    ],
    [
      "time",
      `${duration(report.wall_ms)}${report.agent_ms > 0 ? `, the agent ${duration(report.agent_ms)}` : ""}${report.waited_ms > 0 ? `, waiting ${duration(report.waited_ms)}` : ""}`,
    ],
    ["tokens", totalTokens(usage) === 0 ? "" : `${tokens(totalTokens(usage))}: ${tokenClasses(usage)}`],
    ["cost", cost(usage) ?? ""],
    [
      "changes",
      isOfOthers(report)
        ? ""
        : `${count(report.files_changed, "file")}${changed(report, style) === "" ? "" : `, ${changed(report, style)}`}, ${count(report.commits, "commit")}`,
    ],
    ["plan", plan === null || plan.total === 0 ? "" : `${plan.checked} of ${plan.total} done${task}`],
    ...gates.map((gate): [string, string] => ["gate", gate]),
    ["proof", report.proof === null ? "" : PROOF[report.proof]],
    ["next", stepAfter(next) ?? ""],
  ];
  return [
    style.bold("Total"),
    ...rows
      .filter(([, value]) => value !== "")
      .flatMap(([name, value]) =>
        wrap(value, width - TOTAL_INDENT).map(
          (line, at) => `  ${style.dim((at === 0 ? name : "").padEnd(TOTAL_INDENT - 2))}${line}`,
        ),
      ),
  ];
}

/**
 * Parts side by side in lines of at most `width` columns. A part is never folded, and cut only if it is wider than a
 * line.
 */
function flow(parts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && columns(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(fit(part, width));
  }
  return lines;
}

function changed({ lines_added, lines_removed }: { lines_added: number; lines_removed: number }, style: Style): string {
  return lineFigures(lines_added, lines_removed, style);
}

function cell(text: string, width: number): string {
  return `${" ".repeat(Math.max(0, width - columns(text)))}${text}`;
}
