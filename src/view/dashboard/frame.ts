import { swarmLines } from "../swarm-lines.ts";
import { fit } from "../text/text.ts";
import { activityLines, activityStart } from "./activity-panel.ts";
import { compactLines } from "./compact.ts";
import { footer } from "./dashboard-footer.ts";
import type { FrameInput } from "./frame-input.ts";
import { header, livedUntil } from "./header.ts";
import { helpPane } from "./pane/help-pane.ts";
import { listPane } from "./pane/list-pane.ts";
import { outputPane } from "./pane/output-pane.ts";
import { type Pane, padded } from "./pane/pane.ts";
import { runsPane } from "./pane/runs-pane.ts";
import { taskPane } from "./pane/task-pane.ts";
import { beside, fitting, stack, stackedHeight } from "./panel-layout.ts";
import { breakerPanel, budgetPanel, gatesPanel, lastPanel, type PanelInput, trendPanel } from "./panels.ts";
import { LEAST_PLAN_HEIGHT, planPanel } from "./plan/plan-panel.ts";
import { type RunPlan, runPlan } from "./plan/run-plan.ts";
import type { ScrollPosition } from "./scroll-position.ts";
import { EMPTY_SCREEN, type OnScreen, type Region } from "./ui-state.ts";

/** A frame: exactly `size.rows` lines, none wider than `size.columns`, and what keys need to know of it. */
export type Frame = {
  lines: string[];
  /** The scroll position for the next frame. */
  reading: ScrollPosition | null;
  copied: readonly string[];
} & Pick<OnScreen, "total" | "page" | "regions" | "places" | "found" | "onEdit" | "plan">;

/** What is drawn below the head, and where its panels are; rows from 1, counted from its own first line. */
type Body = { lines: string[]; pane: Pane | null; regions: Region[] };

const WIDE = 100;
const VERY_WIDE = 160;
const LOW = 12;
const NOTHING: Pane = { lines: [], total: 0, page: 1, head: 0, first: 0, copied: [] };

/** A frame before anything was drawn. */
export function emptyFrame(): Frame {
  return { lines: [], reading: null, copied: [], ...EMPTY_SCREEN };
}

/** Draws the whole screen. Pure: the same input gives the same frame. */
export function frame(input: FrameInput): Frame {
  const { dashboard, size, style, ui } = input;
  const width = Math.max(1, size.columns);
  const head = [...header({ ...input, state: dashboard.state, width }), ...crew(input, width)];
  const foot = footer({ ...input, width });
  const known = dashboard.state.run !== "" || ui.mode === "help";
  const plan = runPlan(dashboard, input.plan);
  const height = Math.max(1, size.rows - head.length - 2);
  const body = known
    ? bodyOf(input, plan, width, height)
    : { lines: padded(NOTHING, height).lines, pane: null, regions: [] };
  const lines = [...head, style.dim("─".repeat(width)), ...body.lines, foot];
  // A screen too low for everything keeps its head and its last line.
  const fitted =
    lines.length <= size.rows ? lines : [...lines.slice(0, Math.max(0, size.rows - 1)), foot].slice(-size.rows);
  const pane = body.pane ?? NOTHING;
  const moved = body.regions.map((region) => ({ ...region, top: region.top + head.length + 1 }));
  return {
    lines: fitted.map((line) => fit(line, width)),
    // Another view keeps the reader's position for later.
    reading: pane.reading === undefined ? input.reading : pane.reading,
    ...onScreen(pane, moved, plan),
  };
}

/** The workers of a swarm, where the screen has room for them and for what happens. */
function crew({ dashboard: { state }, workers, size, style, now }: FrameInput, width: number): string[] {
  if (workers.length === 0) return [];
  const lines = swarmLines({ state, workers, width, style, now });
  return lines.length * 3 > size.rows ? lines.slice(-1) : lines;
}

function onScreen(
  { total, page, places = [], found = { places: [], total }, copied, onEdit = false }: Pane,
  regions: Region[],
  plan: RunPlan | null,
): Omit<Frame, "lines" | "reading"> {
  return { total, page, regions, places, found, onEdit, copied, plan: plan?.entries ?? [] };
}

function bodyOf(input: FrameInput, plan: RunPlan | null, width: number, height: number): Body {
  const { ui, size } = input;
  if (ui.mode === "help" || ui.zoom) return zoomed(input, plan, width, height);
  const room = width >= VERY_WIDE ? 0 : size.rows >= 34 ? 6 : size.rows >= 24 ? 3 : 0;
  const below = room === 0 ? [] : [activityRule(input, width), ...shownActivity(input, width, room)];
  const upper = Math.max(1, height - below.length);
  const body = width >= WIDE ? wideBody(input, plan, width, upper) : narrowBody(input, plan, width, upper);
  const region = activityRegion(input, { left: 1, top: upper + 2, width, height: room });
  return {
    ...body,
    lines: [...body.lines, ...below],
    regions: room === 0 ? body.regions : [...body.regions, region],
  };
}

/** The panel that has the keys, alone. */
function zoomed(input: FrameInput, plan: RunPlan | null, width: number, height: number): Body {
  const { ui, style } = input;
  if (ui.mode === "main" && ui.focus === "plan") return planBody(input, plan, width, height);
  if (ui.mode !== "main" || ui.focus === "main") return mainBody(input, plan, 1, width, height);
  const lines = [style.cyan("› Activity"), ...shownActivity(input, width, height - 1)];
  const region = activityRegion(input, { left: 1, top: 2, width, height: height - 1 });
  return { lines, pane: null, regions: [region] };
}

function planBody(input: FrameInput, plan: RunPlan | null, width: number, height: number): Body {
  const panel = planOf(input, plan, width, height);
  const pane = { ...NOTHING, copied: planCopy(input, plan) };
  return { lines: padded(panel, height).lines, pane, regions: planRegions(panel, plan, width) };
}

function mainBody(input: FrameInput, plan: RunPlan | null, left: number, width: number, height: number): Body {
  const pane = mainPane(input, plan, width, height);
  const { total, head, first } = pane;
  const region = { panel: "main", left, width, total, first } as const;
  const rows = Math.max(1, height - head);
  return {
    lines: pane.lines,
    pane,
    regions: [{ ...region, top: head + 1, height: rows, shown: Math.min(rows, total) }],
  };
}

/** The scrolling pane: help, a list, details, or output. */
function mainPane(input: FrameInput, plan: RunPlan | null, width: number, height: number): Pane {
  switch (input.ui.mode) {
    case "help":
      return helpPane(input, width, height);
    case "list":
      return listPane(input, width, height);
    case "runs":
      return runsPane(input, width, height);
    case "task":
      return taskPane(input, plan?.entries[input.ui.task] ?? null, width, height);
    default:
      return outputPane(input, width, height);
  }
}

function wideBody(input: FrameInput, plan: RunPlan | null, width: number, height: number): Body {
  const { style } = input;
  const side = Math.min(48, Math.max(38, Math.floor(width * 0.3)));
  const third = width >= VERY_WIDE ? side : 0;
  const middle = width - side - 3 - (third > 0 ? third + 3 : 0);
  const main = mainBody(input, plan, side + 4, middle, height);
  const of = panelInput(input, side);
  const answer = (isShort: boolean) => [
    { rank: 3, lines: lastPanel(of, isShort) },
    { rank: 4, lines: gatesPanel(of) },
  ];
  const others = (isShort: boolean) => [
    { rank: 2, lines: budgetPanel(of) },
    { rank: 0, lines: breakerPanel(of) },
    ...(third > 0 ? [] : answer(isShort)),
    { rank: 5, lines: trendPanel(of) },
  ];
  const least = Math.min(LEAST_PLAN_HEIGHT, planOf(input, plan, side, height).lines.length);
  // The trends are dropped first: they are no reason to cut what the agent says.
  const needed = stackedHeight(others(false).filter(({ rank }) => rank < 5)) + least;
  const below = fitting(others(needed > height), height - least - 1);
  const panel = planOf(input, plan, side, Math.max(least, height - stackedHeight(below)));
  const left = stack([{ rank: 1, lines: panel.lines }, ...below], height);
  const right = third === 0 ? null : thirdColumn(input, width - third + 1, third, height);
  const blocks = [
    { lines: left, width: side },
    { lines: main.lines, width: middle },
    ...(right === null ? [] : [{ lines: right.lines, width: third }]),
  ];
  const tasks = left.length > 0 && left[0] === panel.lines[0] ? planRegions(panel, plan, side) : [];
  const copied = input.ui.focus === "plan" && input.ui.mode === "main" ? planCopy(input, plan) : main.pane?.copied;
  return {
    lines: beside(blocks, ` ${style.dim("│")} `, height),
    pane: main.pane === null ? null : { ...main.pane, copied: copied ?? [] },
    regions: [...tasks, ...main.regions, ...(right === null ? [] : [right.region])],
  };
}

function planCopy({ ui }: FrameInput, plan: RunPlan | null): string[] {
  return plan?.entries.slice(ui.task, ui.task + 1).map(({ text }) => text) ?? [];
}

/** The right column of a very wide screen: the last answer, the gates, and the activity in the rest. */
function thirdColumn(
  input: FrameInput,
  left: number,
  width: number,
  height: number,
): { lines: string[]; region: Region } {
  const { ui, style } = input;
  const of = panelInput(input, width);
  const panels = [lastPanel(of, false), gatesPanel(of)].filter((lines) => lines.length > 0);
  const upper = stack(
    panels.map((lines, rank) => ({ rank, lines })),
    height - 5,
  );
  const above = upper.length === 0 ? [] : [...upper, ""];
  const rows = Math.max(1, height - above.length - 1);
  const title = ui.focus === "activity" ? style.cyan("› Activity") : style.bold("Activity");
  return {
    lines: [...above, title, ...shownActivity(input, width, rows)],
    region: activityRegion(input, { left, top: above.length + 2, width, height: rows }),
  };
}

function narrowBody(input: FrameInput, plan: RunPlan | null, width: number, height: number): Body {
  const { ui, style } = input;
  // There is no panel of the plan: it takes the place of the output.
  const isPlan = ui.focus === "plan" && ui.mode === "main";
  // A list to choose from needs the few lines of a low screen itself.
  const most = (isPlan || ui.mode !== "main") && height < LOW ? 0 : Math.floor(height / 2);
  const summary = compactLines(panelInput(input, width), plan).slice(0, most);
  if (summary.length === 0)
    return isPlan ? planBody(input, plan, width, height) : mainBody(input, plan, 1, width, height);
  const rest = Math.max(1, height - summary.length - 1);
  const body = isPlan ? planBody(input, plan, width, rest) : mainBody(input, plan, 1, width, rest);
  const down = summary.length + 1;
  return {
    ...body,
    lines: [...summary, style.dim("─".repeat(width)), ...body.lines],
    regions: body.regions.map((region) => ({ ...region, top: region.top + down })),
  };
}

function planOf(input: FrameInput, plan: RunPlan | null, width: number, height: number) {
  const { ui, dashboard, style } = input;
  const selected = ui.focus === "plan" ? ui.task : null;
  return planPanel({ plan, state: dashboard.state, selected, top: ui.planTop, width, height, style });
}

function planRegions(
  { head, first, shown }: ReturnType<typeof planPanel>,
  plan: RunPlan | null,
  width: number,
): Region[] {
  const total = plan?.entries.length ?? 0;
  return total === 0 ? [] : [{ panel: "plan", top: head + 1, left: 1, width, height: shown, first, total, shown }];
}

function shownActivity({ dashboard, ui, style }: FrameInput, width: number, height: number): string[] {
  return activityLines(dashboard.activity, ui.activityBelow, width, height, style);
}

function activityRegion(
  { dashboard: { activity }, ui }: FrameInput,
  { left, top, width, height }: Pick<Region, "left" | "top" | "width" | "height">,
): Region {
  const first = activityStart(activity, ui.activityBelow, height);
  const total = activity.length;
  return { panel: "activity", top, left, width, height, first, total, shown: Math.min(height, total) };
}

/** The line above the activity, which names it only while it has the keys. */
function activityRule({ ui, style }: FrameInput, width: number): string {
  if (ui.focus !== "activity") return style.dim("─".repeat(width));
  return `${style.cyan("› Activity")} ${style.dim("─".repeat(Math.max(0, width - 11)))}`;
}

function panelInput({ dashboard, now, alive, style, shorten }: FrameInput, width: number): PanelInput {
  const { state, rows } = dashboard;
  return { state, rows, now, end: livedUntil(state, alive, now), width, style, shorten };
}
