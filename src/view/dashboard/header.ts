import { continueCommand } from "../../core/continue-command.ts";
import type { State } from "../../core/journal/state.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { needsOf } from "../../core/needs/needs.ts";
import { runTitle } from "../../core/run-title.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { iterationsAllowed } from "../../core/stop/stop-rule.ts";
import { START_RUN_HINT } from "../../core/text/hints.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { localClock } from "../../core/text/time-text.ts";
import { countdown, sideWork } from "../live/footer.ts";
import { describeHeadroom } from "../live/headroom-text.ts";
import { runWaitLine } from "../live/wait-line.ts";
import { needSummary } from "../needs.ts";
import { cost, duration, elapsed, tokenCount } from "../text/figures.ts";
import { BROKE_OFF, END_MARKS, endName, endPaint, spinner } from "../text/marks.ts";
import type { Style } from "../text/style.ts";
import { columns, fit } from "../text/text.ts";
import { bar } from "./bar.ts";
import { spread } from "./panel-layout.ts";
import { type ReplayFacts, speedText } from "./replay-index.ts";

export type HeaderInput = {
  state: State;
  replay: ReplayFacts | null;
  alive: boolean;
  now: number;
  width: number;
  style: Style;
};

/** The run and its present action. */
export function header({ state, replay, alive, now, width, style }: HeaderInput): string[] {
  const title = runTitle(state);
  const { model } = state.usage;
  // A scripted agent's model has the name of its driver.
  const agent = [
    state.display_name,
    model === state.driver ? null : model,
    state.settings.CLAUDE_PERMISSION_MODE,
  ].flatMap((part) => (typeof part === "string" && part !== "" ? singleLine(part) : []));
  if (state.run === "")
    return [fit(`${style.bold("ralph")}  ${title}`, width), style.dim(`Waiting for a run. ${START_RUN_HINT}`)];
  return [
    replay === null
      ? spread(`${style.bold("ralph")}  ${title}`, style.dim(agent.join(" · ")), width)
      : replayLine(replay, title, now, width, style),
    secondLine(
      activity(state, alive, now, style),
      stopText(state, alive, now, style),
      totals(state, alive, now),
      width,
      style,
    ),
    ...needsLine(state, { replay, alive, width, style }),
  ];
}

/** What needs a person, on one line; none while nothing does, and in a replay, where nobody can answer. */
function needsLine(
  state: State,
  { replay, alive, width, style }: Pick<HeaderInput, "replay" | "alive" | "width" | "style">,
): string[] {
  const needs = replay === null ? needsOf(state, { alive }) : [];
  return needs.length === 0 ? [] : [spread(`${style.yellow("?")} ${style.yellow(needSummary(needs))}`, "", width)];
}

const BAR = 10;

/** The state of the replay: a word that distinguishes it from a live run, and its position in the run. */
function replayLine(replay: ReplayFacts, title: string, now: number, width: number, style: Style): string {
  const { speed, isPaused, isOver, share } = replay;
  const mark = isOver ? "■ end" : isPaused ? `⏸ paused ${speedText(speed)}` : `▶ ${speedText(speed)}`;
  const place = `${Math.floor(share * 100)} %`;
  const clock = localClock(now);
  const word = style.bold(style.yellow("REPLAY"));
  const right = [
    `${mark}  ${bar(share, 1, BAR, style, style.cyan)} ${place}  ${clock}`,
    `${mark}  ${place}  ${clock}`,
    `${mark}  ${place}`,
  ].find((text) => columns(text) + columns("REPLAY  ") + 2 <= width);
  if (right === undefined) return fit(word, width);
  const room = width - columns(right) - columns("REPLAY  ") - 2;
  return spread(`${word}  ${room > 0 ? fit(title, room) : ""}`, right, width);
}

/** The next limit comes before the totals; if the line is too long, the last totals are dropped. */
function secondLine(doing: string, stop: string, totals: readonly string[], width: number, style: Style): string {
  const left = stop === "" || columns(doing) + columns(stop) + 3 > width ? doing : `${doing}  ${stop}`;
  const counts = totals.map((_, index) => totals.length - index);
  const right = counts.map((n) => totals.slice(0, n).join(" · ")).find((t) => columns(left) + columns(t) + 2 <= width);
  return spread(left, style.dim(right ?? ""), width);
}

/** Left out for the bound on iterations, which is beside their number. */
function stopText(state: State, alive: boolean, now: number, style: Style): string {
  const [nearest] = alive ? describeHeadroom(state, now) : [];
  if (nearest === undefined || nearest.reason === "max_iterations") return "";
  return (nearest.isNear ? style.yellow : style.dim)(`stop: ${nearest.text}`);
}

function activity(state: State, alive: boolean, now: number, style: Style): string {
  const { finished, wait, open, stop_requested } = state;
  if (finished !== null) {
    return `${endName(finished.reason, finished.exit_code, style)}  ${singleLine(finished.sentence || STOP_REASONS[finished.reason].text)}`;
  }
  const isImport = state.started_by === "import";
  if (!alive)
    return `${endPaint("bad", style)(END_MARKS.bad)} ${style.bold(BROKE_OFF)}  The process ended unexpectedly; ${isImport ? "ralph import begins again" : `${continueCommand(state)} goes on where it was`}.`;
  const stopping =
    stop_requested === null
      ? ""
      : style.yellow(stop_requested.how === "now" ? "  stopping now" : "  stopping after this iteration");
  if (wait?.why === "paused") return `${style.yellow("⏸")} ${style.bold("paused")}${stopping}`;
  if (wait !== null) {
    const left = countdown(Math.max(0, Date.parse(wait.until) - now));
    return `${style.yellow("⏸")} ${style.bold(left)}  ${runWaitLine(wait, state, now)}${stopping}`;
  }
  const limit = iterationsAllowed(state);
  const most = limit === 0 ? "" : ` of ${limit}`;
  const since = open === null ? "" : `  ${elapsed(now - Date.parse(open.started_at))}`;
  const beside = sideWork(state);
  const doing = beside === null ? "" : `  ${beside}`;
  const pausing = state.paused ? style.yellow("  pausing after this iteration") : "";
  return `${style.cyan(spinner(now))} ${state.iteration === 0 ? style.bold(isImport ? "importing" : "starting") : `${style.bold(`iteration ${state.iteration}`)}${most}`}${since}${doing}${pausing}${stopping}`;
}

function totals(state: State, alive: boolean, now: number): string[] {
  const wall = Math.max(0, livedUntil(state, alive, now) - Date.parse(state.started_at));
  return [
    totalTokens(state.usage) === 0 ? null : tokenCount(totalTokens(state.usage)),
    cost(state.usage),
    wallText(state, alive, Number.isFinite(wall) ? wall : 0),
    `run ${state.run.split("-")[0]}`,
  ].filter((part) => part !== null);
}

/** The end of a run in epoch ms: the recorded end, `now` for a live run, or the last recorded time of a dead one. */
export function livedUntil(state: State, alive: boolean, now: number): number {
  if (state.finished !== null) return Date.parse(state.finished.at);
  return alive ? now : Date.parse(state.broke_off_at ?? state.updated_at);
}

function wallText(state: State, alive: boolean, ms: number): string | null {
  if (!alive) return duration(ms);
  // In the first iteration its own time says the same.
  return state.iteration <= 1 && state.open !== null ? null : elapsed(ms);
}
