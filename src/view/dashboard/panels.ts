import type { State } from "../../core/journal/state.ts";
import { num } from "../../core/json-value.ts";
import { spentInHour } from "../../core/stop/budget.ts";
import { type SettingValues, STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import {
  BOUND_REASONS,
  COUNTED_REASONS,
  headroomOf,
  type LimitHeadroom,
  stopRule,
  thresholdOf,
} from "../../core/stop/stop-rule.ts";
import { count } from "../../core/text/count.ts";
import { money } from "../../core/text/money.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { localMinute } from "../../core/text/time-text.ts";
import { ruleFigure } from "../live/headroom-text.ts";
import { duration, tokens } from "../text/figures.ts";
import { iterationMark, markedIteration } from "../text/iteration-mark.ts";
import { gateMark } from "../text/marks.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { fit, hanging, wrap } from "../text/text.ts";
import { bar } from "./bar.ts";
import type { Row } from "./model.ts";
import { spread } from "./panel-layout.ts";
import { sparkline } from "./sparkline.ts";

export type PanelInput = {
  state: State;
  rows: readonly Row[];
  /** Epoch ms. */
  now: number;
  /** The end of the run in epoch ms; `now` for a live run. */
  end: number;
  width: number;
  style: Style;
  shorten: Shorten;
};

const BREAKER_REASONS = COUNTED_REASONS.filter((reason) => STOP_REASONS[reason].action === "circuit_breaker_open");
const LABEL = 13;
const BAR = 8;

/** The user's bounds, and the used part of each. */
export function budgetPanel({ state, now, end, width, style }: PanelInput): string[] {
  const { settings, budget } = state;
  const hour = spentInHour(budget, now);
  const anew = budget.resets_at > now ? style.dim(`resets ${localMinute(budget.resets_at)}`) : "";
  const hourly = [
    gauge("calls/hour", hour.calls, num(settings.MAX_CALLS_PER_HOUR) ?? 0, String, style),
    gauge("tokens/hour", hour.tokens, num(settings.MAX_TOKENS_PER_HOUR) ?? 0, tokens, style),
  ];
  const bounds = BOUND_REASONS.map((reason) => boundLine(headroomOf(reason, state, settings, end), settings, style));
  const lines = [...hourly, ...bounds].filter((line) => line !== null);
  return [spread(style.bold("Bounds"), anew, width), ...lines.map((line) => fit(line, width))];
}

/** The circuit breaker: how near each counter is to opening it. */
export function breakerPanel({ state, now, width, style }: PanelInput): string[] {
  const { breaker, settings } = state;
  const paint = { closed: style.green, half_open: style.yellow, open: style.red }[breaker.state];
  const counters = BREAKER_REASONS.filter((reason) => stopRule(reason).applies?.(settings) ?? true).map((reason) => {
    const { used, limit } = headroomOf(reason, state, settings, now);
    return counter(stopRule(reason).label, used, limit, style);
  });
  const why = breaker.state === "open" ? wrap(singleLine(breaker.sentence), width) : [];
  return [
    spread(style.bold("Circuit breaker"), paint(breaker.state.toUpperCase()), width),
    ...why,
    ...counters.map((line) => fit(line, width)),
  ];
}

/**
 * The claims of the last answer beside the evidence.
 * @param isShort cuts what does not fit its line, where there are no free rows
 */
export function lastPanel({ state, width, style, shorten }: PanelInput, isShort: boolean): string[] {
  const { last } = state;
  if (last === null) return [];
  const { analysis, evidence } = last;
  const mark = iterationMark(markedIteration(last), style);
  const claims = [
    analysis.status ?? (analysis.has_completion_signal ? "done" : null),
    analysis.tests_status === null ? null : `tests ${analysis.tests_status}`,
    analysis.exit_signal ? "EXIT_SIGNAL" : null,
    analysis.confidence_score > 0 ? `confidence ${analysis.confidence_score}` : null,
    analysis.is_stuck ? "stuck" : null,
    analysis.permission_denial_count > 0 ? count(analysis.permission_denial_count, "denial") : null,
    analysis.asking_questions ? "asks a question" : null,
  ].filter((claim) => claim !== null);
  const facts = [
    evidence.commits.length === 0 ? null : count(evidence.commits.length, "commit"),
    evidence.files_changed_count === 0 ? null : count(evidence.files_changed_count, "file"),
    evidence.plan_delta === 0
      ? null
      : `${evidence.plan_delta > 0 ? "+" : ""}${count(evidence.plan_delta, "box", "boxes")}`,
  ].filter((fact) => fact !== null);
  const files = evidence.files_changed
    .slice(0, 3)
    .map((file) => style.dim(`${" ".repeat(LABEL)}${fit(singleLine(file), width - LABEL)}`));
  return [
    spread(style.bold("Last answer"), style.dim(`iteration ${last.number} · ${duration(last.ms)}`), width),
    ...hanging(`${mark} `, shorten(singleLine(last.verdict.sentence)), width).slice(0, 3),
    ...(claims.length === 0 ? [] : labelled("says", claims.join(" · "), width, isShort, style)),
    ...labelled("evidence", facts.length === 0 ? "nothing changed" : facts.join(" · "), width, isShort, style),
    ...files,
  ];
}

/** The gates after the newest answer, and the running one. */
export function gatesPanel({ state, width, style }: PanelInput): string[] {
  const done = state.gates.map((gate) => `${gateMark(gate, style)} ${fit(singleLine(gate.command), width - 2)}`);
  const running = state.gate === null ? [] : [`${style.cyan("…")} ${fit(singleLine(state.gate.command), width - 2)}`];
  return done.length + running.length === 0 ? [] : [style.bold("Gates"), ...done, ...running];
}

/** Tokens, cost and changed files, one bar for each iteration. */
export function trendPanel({ rows, width, style }: PanelInput): string[] {
  if (rows.length === 0) return [];
  const last = rows.at(-1);
  const trend = (name: string, values: (number | null)[], value: string, paint: (text: string) => string) => {
    const room = width - LABEL - 8;
    return `${label(name, style)}${paint(sparkline(values, room))}${" ".repeat(Math.max(1, room - Math.min(room, values.length) + 1))}${style.dim(value)}`;
  };
  const costs = rows.map((row) => row.cost);
  return [
    spread(style.bold("Iterations"), style.dim(String(rows.length)), width),
    trend(
      "tokens",
      rows.map((row) => row.tokens),
      tokens(last?.tokens ?? 0),
      style.blue,
    ),
    ...(costs.every((cost) => (cost ?? 0) === 0) ? [] : [trend("cost", costs, money(last?.cost ?? 0), style.blue)]),
    trend(
      "files",
      rows.map((row) => row.files),
      String(last?.files ?? 0),
      style.blue,
    ),
  ].map((line) => fit(line, width));
}

function gauge(name: string, part: number, whole: number, format: (n: number) => string, style: Style): string | null {
  if (whole === 0) return null;
  const paint = part >= whole ? style.red : part >= whole * 0.8 ? style.yellow : style.cyan;
  return `${label(name, style)}${bar(part, whole, BAR, style, paint)} ${format(part)} ${style.dim(`of ${format(whole)}`)}`;
}

function boundLine({ reason, used, limit }: LimitHeadroom, settings: SettingValues, style: Style): string | null {
  const rule = stopRule(reason);
  const figure = ruleFigure(rule);
  if (figure !== null) return gauge(rule.label, used, limit, figure, style);
  return limit === 0 ? null : `${label(rule.label, style)}${thresholdOf(rule, settings)}`;
}

function counter(name: string, value: number, threshold: number, style: Style): string {
  if (threshold === 0) return `${label(name, style)}${style.dim("off")}`;
  const paint = value >= threshold ? style.red : value > 0 ? style.yellow : style.dim;
  const dots =
    threshold > BAR
      ? bar(value, threshold, BAR, style, paint)
      : paint("●".repeat(Math.min(value, threshold))) + style.dim("○".repeat(Math.max(0, threshold - value)));
  return `${label(name, style)}${dots}${" ".repeat(Math.max(1, BAR + 1 - Math.min(threshold, BAR)))}${value} ${style.dim(`of ${threshold}`)}`;
}

/** A value behind its label, on further lines where it is longer than one. */
function labelled(name: string, value: string, width: number, isShort: boolean, style: Style): string[] {
  const lines = isShort ? [fit(value, width - LABEL)] : wrap(value, Math.max(1, width - LABEL));
  return lines.map((line, index) => `${index === 0 ? label(name, style) : " ".repeat(LABEL)}${line}`);
}

function label(text: string, style: Style): string {
  return style.dim(text.padEnd(LABEL));
}
