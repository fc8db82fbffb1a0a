import type { OpenTool } from "../../core/journal/open-tools.ts";
import type { State } from "../../core/journal/state.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { needsOf } from "../../core/needs/needs.ts";
import type { PlanTask } from "../../core/plan/fix-plan.ts";
import { spentInHour } from "../../core/stop/budget.ts";
import { isInTime, iterationsAllowed } from "../../core/stop/stop-rule.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { type Part, statusParts } from "../status-parts.ts";
import { cost, elapsed, tokenCount } from "../text/figures.ts";
import { spinner } from "../text/marks.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { fit } from "../text/text.ts";
import { describeHeadroom } from "./headroom-text.ts";
import { proseSoFar } from "./prose.ts";
import { toolLine } from "./tool-line.ts";
import { dayAndTime, waitWords } from "./wait-line.ts";

const PARTIAL_LINES = 6;
const MOST_TOOLS = 3;
/** With less room a task's text is meaningless. */
const TASK_COLUMNS = 12;

export type LiveFooterInput = {
  state: State;
  /** The block that the agent is writing, or "". */
  partial: string;
  next: PlanTask | null;
  width: number;
  style: Style;
  shorten: Shorten;
  /** Epoch ms. */
  now: number;
  /** The first part: the state of a replay, or "". */
  note: string;
  /** Whether keys steer the run from here. */
  takesKeys: boolean;
};

/** The lines below the output of a live run: the block being written, and one status line. Empty without a run. */
export function footerLines(input: LiveFooterInput): string[] {
  const { state, partial, width, style, shorten, now } = input;
  if (state.run === "" || state.finished !== null) return [];
  const words = proseSoFar(partial);
  const written = words === "" ? [] : oneBlock(words, width);
  const running = runningTools(state, { width, style, shorten, now });
  return [...written.map((line) => `  ${line}`), ...running, statusLine(input)];
}

type ToolInput = Pick<LiveFooterInput, "width" | "style" | "shorten" | "now">;

/** The newest running tools with their times. */
export function runningTools({ tools }: State, input: ToolInput): string[] {
  return tools.slice(-MOST_TOOLS).map((tool) => runningTool(tool, input));
}

function runningTool(tool: OpenTool, { width, style, shorten, now }: ToolInput): string {
  const ms = now - Date.parse(tool.at);
  return toolLine(tool, { width, style, shorten }, ms < 1000 ? "" : style.dim(` … ${elapsed(ms)}`));
}

function oneBlock(words: string, width: number): string[] {
  return words
    .split("\n")
    .slice(-PARTIAL_LINES)
    .map((line) => fit(singleLine(line), width - 3));
}

function statusLine({ state, next, width, style, now, note, takesKeys }: LiveFooterInput): string {
  const { wait, open, breaker, usage } = state;
  const part = (rank: number, text: string, paint = style.dim): Part => ({ rank, text, paint });
  // A look or a review comes after its iteration: the time of the run would read as that of the iteration.
  const began = open?.started_at ?? (state.iteration === 0 ? state.started_at : null);
  const stops = describeHeadroom(state, now);
  const isLast = stops.some(({ reason, isNear }) => reason === "max_iterations" && isNear);
  const work = [
    part(0, `${spinner(now)} ${doing(state)}`, isLast ? style.yellow : style.dim),
    part(1, sideWork(state) ?? ""),
    part(3, began === null ? "" : elapsed(Math.max(0, now - Date.parse(began)))),
    { ...part(6, next === null ? "" : singleLine(next.text)), least: TASK_COLUMNS },
    part(8, totalTokens(usage) === 0 ? "" : tokenCount(totalTokens(usage))),
    part(5, cost(usage) ?? ""),
    part(7, callsLeft(state, now)),
    breaker.state === "closed"
      ? part(10, state.started_by === "import" ? "" : "breaker CLOSED")
      : part(4, `breaker ${breaker.state.toUpperCase()}`, style.yellow),
  ];
  const parts = [
    part(0, note, style.cyan),
    ...(wait === null ? work : waitParts(wait, { now, takesKeys, paint: style.yellow })),
    ...stops
      .filter(({ reason }) => (wait === null ? reason !== "max_iterations" : isInTime(reason)))
      .slice(0, 2)
      .map(({ text, isNear }, index) =>
        index === 0
          ? part(2, `stop: ${text}`, isNear ? style.yellow : style.dim)
          : part(9, text, isNear ? style.yellow : style.dim),
      ),
    part(1, stopText(state), style.yellow),
    part(1, note === "" ? needsText(state) : "", style.yellow),
    part(4, takesKeys ? "? keys" : ""),
  ];
  return statusParts(parts, width - 1, style);
}

/** What is done beside the agent's own work; null for nothing else. */
export function sideWork({ call, gate }: Pick<State, "call" | "gate">): "gate" | "look" | "rebase" | "review" | null {
  const purpose = call?.purpose;
  if (purpose === "look" || purpose === "rebase") return purpose;
  return gate !== null ? "gate" : purpose === "review" ? purpose : null;
}

function doing(state: State): string {
  const { iteration, started_by } = state;
  const most = iterationsAllowed(state);
  if (iteration > 0) return `iteration ${iteration}${most === 0 ? "" : `/${most}`}`;
  return started_by === "import" ? "importing" : started_by === "land" ? "landing" : "starting";
}

function callsLeft({ settings, budget }: State, now: number): string {
  const { MAX_CALLS_PER_HOUR: limit } = settings;
  if (typeof limit !== "number") return "";
  return count(Math.max(0, limit - spentInHour(budget, now).calls), "call left", "calls left");
}

function waitParts(
  wait: NonNullable<State["wait"]>,
  { now, takesKeys, paint }: Pick<LiveFooterInput, "now" | "takesKeys"> & Pick<Part, "paint">,
): Part[] {
  const parts =
    wait.why === "paused"
      ? ["⏸ Paused", takesKeys ? "p goes on" : "Go on with: ralph resume"]
      : [
          `⏸ ${countdown(Math.max(0, Date.parse(wait.until) - now))}`,
          waitWords(wait.why),
          `until ${dayAndTime(wait.until, now)}`,
        ];
  return parts.map((text, rank) => ({ rank, text, paint }));
}

/** A question has long scrolled away when somebody looks. */
function needsText(state: State): string {
  const needs = needsOf(state, { alive: true });
  return needs.length === 0 ? "" : `needs you (${needs.length})`;
}

function stopText(state: State): string {
  if (state.stop_requested !== null) return "stopping";
  return state.paused && state.wait === null ? "pausing" : "";
}

/** `4 d 1:02:03`, `1:02:03`, `2:03`. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  if (days > 0) return `${days} d ${countdown((seconds % 86_400) * 1000)}`;
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((n, index) => (index === 0 ? String(n) : String(n).padStart(2, "0"))).join(":");
}
