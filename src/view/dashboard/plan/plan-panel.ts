import type { State } from "../../../core/journal/state.ts";
import { forecastOf } from "../../../core/money/forecast.ts";
import { singleLine } from "../../../core/text/plain-text.ts";
import { spent } from "../../text/figures.ts";
import { shortForecast } from "../../text/forecast-text.ts";
import type { Style } from "../../text/style.ts";
import { columns, fit, wrap } from "../../text/text.ts";
import { bar } from "../bar.ts";
import { spread } from "../panel-layout.ts";
import type { PlanEntry, RunPlan } from "./run-plan.ts";

export type PlanPanelInput = {
  plan: RunPlan | null;
  state: State;
  /** The selected task; null if the panel is not the one that keys move in. */
  selected: number | null;
  /** The first task on the screen, where a wheel moved it; null for the place of the selected or current one. */
  top: number | null;
  width: number;
  /** Most lines of the panel. */
  height: number;
  style: Style;
};

/** `first` and `shown`: which tasks are on the screen; `head`: the lines above them. */
export type PlanPanel = { lines: string[]; head: number; first: number; shown: number };

const NONE: PlanPanel = { lines: [], head: 0, first: 0, shown: 0 };
const FIGURES_FROM = 34;

/** The height that the panel has at least, where the other panels leave none. */
export const LEAST_PLAN_HEIGHT = 8;

/** A run's plan: its progress, and as many of its tasks around the current one as there is room for. */
export function planPanel({ plan, state, selected, top, width, height, style }: PlanPanelInput): PlanPanel {
  if (plan === null) return NONE;
  const { counts, entries } = plan;
  const isFocused = selected !== null;
  const title = (isFocused ? style.cyan : style.bold)(isFocused ? "› Plan" : "Plan");
  const head = [
    spread(title, style.dim(`${counts.checked} of ${counts.total}`), width),
    bar(counts.checked, counts.total, width, style, style.green),
  ];
  const forecast = state.finished === null ? forecastOf(state) : null;
  const unknown = wrap(unknownText(plan), width).filter((line) => line !== "");
  const below = [...unknown, ...(forecast === null ? [] : [fit(shortForecast(forecast), width)])].map(style.dim);
  const room = Math.max(1, height - head.length - below.length);
  const { first, shown } = taskWindow(entries, selected, top, room);
  const tasks = entries
    .slice(first, first + shown)
    .map((entry, index) => taskLine(entry, first + index === selected, width, style));
  const more = (n: number, arrow: string) => (n > 0 && room > 2 ? [style.dim(`${arrow} ${n} more`)] : []);
  const above = more(first, "↑");
  return {
    lines: [...head, ...above, ...tasks, ...more(entries.length - first - shown, "↓"), ...below],
    head: head.length + above.length,
    first,
    shown,
  };
}

/** The tasks to show, with a line each for those above and below the window. */
function taskWindow(entries: readonly PlanEntry[], selected: number | null, top: number | null, room: number) {
  if (entries.length <= room) return { first: 0, shown: entries.length };
  const current = entries.findIndex(({ state }) => state === "current");
  const at = selected ?? (current === -1 ? entries.length - 1 : current);
  if (room < 3) return { first: at, shown: 1 };
  // One finished task above the current one tells where it stands; a selected one stays in the middle.
  const lead = selected === null ? 1 : Math.floor(room / 2);
  const shown = Math.max(1, room - 2);
  const first = Math.max(0, Math.min(top ?? at - lead, entries.length - shown));
  if (first <= 1) return { first: 0, shown: Math.max(1, room - 1) };
  return first >= entries.length - shown ? { first: entries.length - shown - 1, shown: shown + 1 } : { first, shown };
}

/** What the journal of an old run does not tell. */
function unknownText({ unknown: { done, open } }: RunPlan): string {
  const tasks = [done > 0 ? `${done} done` : null, open > 0 ? `${open} open` : null].filter((part) => part !== null);
  return tasks.length === 0 ? "" : `and ${tasks.join(", ")}, not named in the journal`;
}

function taskLine({ text, state, work, optional }: PlanEntry, marked: boolean, width: number, style: Style): string {
  const mark = { done: style.green("✓"), current: style.cyan("→"), open: style.dim("○") }[state];
  const figures = work === null || width < FIGURES_FROM ? "" : taskFigures(work.rows.length, spent(work.cost));
  const room = width - columns(figures) - (figures === "" ? 2 : 4) - (marked ? 2 : 0);
  const words = fit(singleLine(text) + (optional ? " (optional)" : ""), Math.max(1, room));
  const paint = marked ? style.bold : state === "current" ? (line: string) => line : style.dim;
  return spread(`${marked ? style.cyan("› ") : ""}${mark} ${paint(words)}`, style.dim(figures), width);
}

function taskFigures(iterations: number, cost: string | null): string {
  return [`${iterations} it.`, cost].filter((figure) => figure !== null).join(" ");
}
