import { count } from "../../../core/text/count.ts";
import { money } from "../../../core/text/money.ts";
import { singleLine } from "../../../core/text/plain-text.ts";
import { duration, tokenCount } from "../../text/figures.ts";
import { iterationMark } from "../../text/iteration-mark.ts";
import type { Style } from "../../text/style.ts";
import { fit, wrap } from "../../text/text.ts";
import type { FrameInput } from "../frame-input.ts";
import { spread } from "../panel-layout.ts";
import type { PlanEntry, TaskWork } from "../plan/run-plan.ts";
import { type Pane, topPane } from "./pane.ts";

const MOST_FILES = 20;
const STATES = { done: "done", current: "at hand", open: "open" } as const;

/** The details of a task: its words, what it took, and what it changed. */
export function taskPane({ ui, style }: FrameInput, entry: PlanEntry | null, width: number, height: number): Pane {
  const head = spread(style.bold("Task"), style.dim("← → others · enter its iterations · esc the plan"), width);
  const lines =
    entry === null ? [style.dim("  The plan has no task here.")] : taskLines(entry, ui.task + 1, width, style);
  return topPane(head, lines, ui.top, height);
}

function taskLines(
  { text, state, section, optional, line, work }: PlanEntry,
  number: number,
  width: number,
  style: Style,
): string[] {
  const facts = [
    STATES[state],
    section === null ? null : singleLine(section),
    optional ? "optional" : null,
    // The number by which `ralph plan` takes it.
    line === null ? null : `task ${number} of the plan`,
  ].filter((fact) => fact !== null);
  return [
    ...wrap(singleLine(text), width - 2).map((part) => `  ${style.bold(part)}`),
    style.dim(fit(`  ${facts.join(" · ")}`, width)),
    "",
    ...(work === null ? [style.dim(`  ${noWork(state)}`)] : workLines(work, width, style)),
  ];
}

function noWork(state: PlanEntry["state"]): string {
  if (state === "done") return "This run did not tick it, so what it took is not known here.";
  return state === "current" ? "No iteration is finished yet since the last tick." : "No work was done on it yet.";
}

function workLines({ rows, ms, tokens, cost, others }: TaskWork, width: number, style: Style): string[] {
  const figures = [
    count(rows.length, "iteration"),
    duration(ms),
    tokens === 0 ? null : tokenCount(tokens),
    cost === null ? "cost unknown" : money(cost),
    count(
      rows.reduce((all, row) => all + row.commits, 0),
      "commit",
    ),
  ].filter((figure) => figure !== null);
  const shared = others > 0 ? [`  Together with ${count(others, "other task")}: the same iteration ticked them.`] : [];
  const files = [...new Set(rows.flatMap(({ changed }) => changed))];
  const asked = rows.flatMap(({ question, number }) => (question === null ? [] : [`${number}: ${question}`]));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.bold(`  ${title}`), ...lines];
  return [
    fit(`  ${figures.join(" · ")}`, width),
    ...shared.flatMap((text) => wrap(text, width)).map(style.dim),
    ...section(
      "Iterations",
      rows.map((row) => fit(`  ${iterationMark(row, style)} ${row.number}  ${singleLine(row.name)}`, width)),
    ),
    ...section("Questions", asked.flatMap((text) => wrap(`  ! ${singleLine(text)}`, width)).map(style.yellow)),
    ...section("Files", [
      ...files.slice(0, MOST_FILES).map((file) => fit(`  ${singleLine(file)}`, width)),
      ...(files.length > MOST_FILES ? [style.dim(`  and ${files.length - MOST_FILES} more`)] : []),
    ]),
  ];
}
