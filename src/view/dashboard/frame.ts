import type { State } from "../../core/journal/state.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { localClock } from "../../core/text/time-text.ts";
import { proseOf } from "../live/event-lines.ts";
import { runningTools } from "../live/footer.ts";
import { duration, money, tokens } from "../text/figures.ts";
import { iterationMark } from "../text/iteration-mark.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { fit } from "../text/text.ts";
import type { Activity } from "./activity.ts";
import { compactLines } from "./compact.ts";
import { footer } from "./dashboard-footer.ts";
import { header, livedUntil } from "./header.ts";
import { helpLines } from "./key-help.ts";
import type { Dashboard, OutputEvent, Row } from "./model.ts";
import { filterLines, type OutputLine, type OutputLines, outputLine } from "./output-lines.ts";
import { beside, cell, spread, stack } from "./panel-layout.ts";
import { breakerPanel, budgetPanel, gatesPanel, lastPanel, type PanelInput, planPanel, trendPanel } from "./panels.ts";
import type { ReplayFacts } from "./replay-index.ts";
import { findBottom, type ScrollPosition, scrollPositionAt } from "./scroll-position.ts";
import type { Ui } from "./ui.ts";

export type Size = { columns: number; rows: number };

export type FrameInput = {
  dashboard: Dashboard;
  /** The events of the opened iteration; null for the live output. */
  opened: readonly OutputEvent[] | null;
  /** The block that the agent is writing, or "". */
  partial: string;
  plan: ParsedPlan | null;
  ui: Ui;
  size: Size;
  /** Epoch ms. */
  now: number;
  alive: boolean;
  readOnly: string | null;
  message: string | null;
  /** The state of a replay, with `now` as its time; null for a followed run. */
  replay: ReplayFacts | null;
  style: Style;
  shorten: Shorten;
  output: OutputLines;
  /** The scroll position of the previous frame, which stays put while output comes and goes; null for the end. */
  reading: ScrollPosition | null;
};

/** A frame: exactly `size.rows` lines, none wider than `size.columns`, and the scroll range of its output. */
export type Frame = Pane & {
  /** The scroll position for the next frame. */
  reading: ScrollPosition | null;
};

type Pane = { lines: string[]; total: number; page: number; reading?: ScrollPosition | null };

const WIDE = 100;
const VERY_WIDE = 160;

/** Draws the whole screen. Pure: the same input gives the same frame. */
export function frame(input: FrameInput): Frame {
  const { dashboard, size, style } = input;
  const width = Math.max(1, size.columns);
  const rule = style.dim("─".repeat(width));
  const head = header({ ...input, state: dashboard.state, width });
  const foot = footer({ ...input, width });
  // Help needs the whole screen, since a cut list is useless.
  const activities = input.ui.mode === "help" ? 0 : size.rows >= 34 ? 6 : size.rows >= 24 ? 3 : 0;
  const known = dashboard.state.run !== "";
  const below =
    known && width < VERY_WIDE && activities > 0
      ? [rule, ...activityLines(dashboard.activity, width, activities, style)]
      : [];
  const height = Math.max(1, size.rows - head.length - 2 - below.length);
  const body = !known
    ? padded({ lines: [], total: 0, page: height }, height)
    : width >= WIDE
      ? wideBody(input, width, height)
      : narrowBody(input, width, height, rule);
  const lines = [...head, rule, ...body.lines, ...below, foot];
  // A screen too low for everything keeps its head and its last line.
  const fitted =
    lines.length <= size.rows ? lines : [...lines.slice(0, Math.max(0, size.rows - 1)), foot].slice(-size.rows);
  // Another view keeps the reader's position for later.
  const reading = body.reading === undefined ? input.reading : body.reading;
  return { ...body, lines: fitted.map((line) => fit(line, width)), reading };
}

function wideBody(input: FrameInput, width: number, height: number): Pane {
  const { dashboard, style, size } = input;
  const side = Math.min(48, Math.max(38, Math.floor(width * 0.3)));
  const third = width >= VERY_WIDE ? side : 0;
  const middle = width - side - 3 - (third > 0 ? third + 3 : 0);
  const of = panelInput(input, side);
  const left = [
    { rank: 1, lines: planPanel(of) },
    { rank: 2, lines: budgetPanel(of) },
    { rank: 0, lines: breakerPanel(of) },
    ...(third > 0
      ? []
      : [
          { rank: 3, lines: lastPanel(of) },
          { rank: 4, lines: gatesPanel(of) },
        ]),
    { rank: 5, lines: trendPanel(of) },
  ];
  const pane = mainPane(input, middle, height);
  const right = panelInput(input, third);
  const last = { rank: 0, lines: third > 0 ? lastPanel(right) : [] };
  const gates = { rank: 1, lines: third > 0 ? gatesPanel(right) : [] };
  const room =
    height - 2 - [last, gates].reduce((sum, { lines }) => sum + (lines.length === 0 ? 0 : lines.length + 1), 0);
  const recent = {
    rank: 2,
    lines: [style.bold("Activity"), ...activityLines(dashboard.activity, third, Math.max(3, room), style)],
  };
  const blocks = [
    { lines: stack(left, height), width: side },
    { lines: pane.lines, width: middle },
    ...(third > 0 ? [{ lines: stack([last, gates, recent], height), width: third }] : []),
  ];
  return { ...pane, lines: beside(blocks, ` ${style.dim("│")} `, height), page: Math.min(pane.page, size.rows) };
}

function narrowBody(input: FrameInput, width: number, height: number, rule: string): Pane {
  if (input.ui.mode === "help") return mainPane(input, width, height);
  const summary = compactLines(panelInput(input, width)).slice(0, Math.max(0, Math.floor(height / 2)));
  const pane = mainPane(input, width, Math.max(1, height - summary.length - 1));
  return { ...pane, lines: [...summary, rule, ...pane.lines] };
}

/** The plan's file may have grown since a run ended: then its tasks are another run's. */
function planOfRun({ finished, plan: counts }: State, plan: ParsedPlan | null): ParsedPlan | null {
  const isSame = counts?.checked === plan?.counts.checked && counts?.unchecked === plan?.counts.unchecked;
  return finished === null || isSame ? plan : null;
}

function panelInput({ dashboard, plan, now, alive, style, shorten }: FrameInput, width: number): PanelInput {
  const { state, rows } = dashboard;
  return { state, rows, plan: planOfRun(state, plan), now, end: livedUntil(state, alive, now), width, style, shorten };
}

/** The scrolling pane: help, the list of iterations, or output. */
function mainPane(input: FrameInput, width: number, height: number): Pane {
  if (input.ui.mode === "help") return helpPane(input, width, height);
  if (input.ui.mode === "list") return listPane(input, width, height);
  return outputPane(input, width, height);
}

function helpPane({ dashboard, replay, ui, style }: FrameInput, width: number, height: number): Pane {
  const shown = replay !== null ? "replay" : dashboard.state.started_by === "import" ? "import" : "run";
  const lines = helpLines(width, shown, style);
  const page = Math.max(1, height - 2);
  const top = Math.max(0, Math.min(ui.helpTop, lines.length - page));
  const below = lines.length - top - page;
  const head = spread(style.bold("Keys"), style.dim(below > 0 ? `${below} below` : ""), width);
  return padded({ lines: [head, "", ...lines.slice(top, top + page)], total: lines.length, page }, height);
}

function outputPane(input: FrameInput, width: number, height: number): Pane {
  const { dashboard, opened, ui, style, shorten, output } = input;
  const made = output(opened ?? dashboard.shown, { width, style, shorten, detail: ui.detail });
  const writing = opened === null ? underWay(input, width) : [];
  const lines = filterLines(writing.length === 0 ? made : [...made, ...unfinished(made, writing)], ui.filter);
  const page = Math.max(1, height - 1);
  const bottom = bottomLine(input, lines);
  const from = Math.max(0, bottom - page);
  const title = style.bold(ui.opened === null ? "Output" : `Iteration ${ui.opened}`);
  const facts = [
    ui.filter === "" ? null : `/${singleLine(ui.filter)}`,
    ui.detail ? "detail" : null,
    bottom < lines.length ? `${lines.length - bottom} below` : null,
    ui.opened === null ? null : "← → others · esc the list",
  ].filter((fact) => fact !== null);
  const head = spread(title, style.dim(facts.join(" · ")), width);
  const none = ui.filter === "" || lines.length > 0 ? [] : [style.dim("  No line has these words. esc shows all.")];
  const shown = [...none, ...lines.slice(from, Math.max(bottom, Math.min(page, lines.length))).map(({ text }) => text)];
  const reading = ui.bottom === null ? null : scrollPositionAt(lines, bottom);
  return padded({ lines: [head, ...shown], total: lines.length, page, reading }, height);
}

/** The last line on the screen: the target of a key, else the previous reading position. */
function bottomLine({ ui, reading }: FrameInput, lines: readonly OutputLine[]): number {
  if (ui.bottom === null) return lines.length;
  return reading?.bottom === ui.bottom ? findBottom(reading, lines) : Math.min(lines.length, ui.bottom);
}

/** Work that is not in the output yet: the block being written, and the running tools. */
function underWay({ dashboard, partial, now, alive, style, shorten }: FrameInput, width: number): string[] {
  const written = proseOf(partial);
  return [
    ...(written === "" ? [] : written.split("\n")).map((line) => style.dim(fit(`  ${singleLine(line)}`, width))),
    ...runningTools(dashboard.state, { width, style, shorten, now: livedUntil(dashboard.state, alive, now) }),
  ];
}

/** Lines without an event of their own continue the last event. */
function unfinished(lines: readonly OutputLine[], texts: readonly string[]): OutputLine[] {
  const seq = lines.at(-1)?.seq ?? 0;
  return texts.map((text) => outputLine(text, seq));
}

function listPane({ dashboard, ui, replay, style }: FrameInput, width: number, height: number): Pane {
  const { rows } = dashboard;
  const page = Math.max(1, height - 1);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.number === ui.selected),
  );
  const from = Math.max(0, Math.min(at - Math.floor(page / 2), rows.length - page));
  const lines = rows.slice(from, from + page).map((row) => rowLine(row, row.number === ui.selected, width, style));
  const head = spread(
    style.bold("Iterations"),
    style.dim(`enter ${replay === null ? "opens" : "jumps there"} · esc goes back`),
    width,
  );
  return padded({ lines: [head, ...lines], total: rows.length, page }, height);
}

function rowLine(row: Row, marked: boolean, width: number, style: Style): string {
  const mark = iterationMark(row, style);
  const figures = [
    String(row.number).padStart(5),
    duration(row.ms).padStart(11),
    `${tokens(row.tokens)}`.padStart(7),
    row.cost === null ? "" : money(row.cost).padStart(8),
  ].filter((figure) => figure !== "");
  const text = `${figures.join(" ")}  ${singleLine(row.name)}`;
  const shown = fit(text, Math.max(1, width - 4));
  return `${marked ? style.cyan("›") : " "} ${mark}${marked ? style.bold(shown) : shown}`;
}

function activityLines(activity: readonly Activity[], width: number, height: number, style: Style): string[] {
  const paint = { good: style.green, bad: style.red, warn: style.yellow, quiet: style.dim };
  const lines = activity.slice(-height).map(({ at, tone, text }) => {
    const mark = { good: "✓", bad: "✗", warn: "!", quiet: "·" }[tone];
    return fit(
      `${style.dim(localClock(Date.parse(at)))} ${paint[tone](mark)} ${fit(text, Math.max(1, width - 11))}`,
      width,
    );
  });
  return [...lines, ...Array.from({ length: height - lines.length }, () => "")].map((line) =>
    cell(line, width).trimEnd(),
  );
}

function padded(pane: Pane, height: number): Pane {
  const missing = Math.max(0, height - pane.lines.length);
  return { ...pane, lines: [...pane.lines.slice(0, height), ...Array.from({ length: missing }, () => "")] };
}
