import type { OpenTool } from "../core/open-tools.ts";
import type { PlanTask } from "../core/plan.ts";
import type { State } from "../core/state.ts";
import { tokensOf } from "../core/usage.ts";
import { duration, money, tokens } from "./figures.ts";
import { proseOf, waitLine } from "./line.ts";
import type { Shorten } from "./path.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";
import { toolLine } from "./tool-line.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const PARTIAL_LINES = 6;
const MOST_TOOLS = 3;

export type FooterInput = {
  state: State;
  /** The block that the agent is writing, or "". */
  partial: string;
  next: PlanTask | null;
  width: number;
  style: Style;
  shorten: Shorten;
  /** Epoch ms. */
  now: number;
};

/** The lines below the output while a run lives: the block being written, and one status line. Empty when there is no run. */
export function footerLines({ state, partial, next, width, style, shorten, now }: FooterInput): string[] {
  if (state.run === "" || state.finished !== null) return [];
  const written = proseOf(partial) === "" ? [] : oneBlock(partial, width);
  const running = state.tools.slice(-MOST_TOOLS).map((tool) => runningTool(tool, { width, style, shorten, now }));
  return [...written.map((line) => `  ${line}`), ...running, style.dim(fit(statusText(state, next, now), width - 1))];
}

function runningTool(
  tool: OpenTool,
  { width, style, shorten, now }: Pick<FooterInput, "width" | "style" | "shorten" | "now">,
): string {
  const ms = now - Date.parse(tool.at);
  return `  ${toolLine(tool, { width, style, shorten })}${ms < 1000 ? "" : style.dim(` … ${duration(ms)}`)}`;
}

function oneBlock(partial: string, width: number): string[] {
  return proseOf(partial)
    .split("\n")
    .slice(-PARTIAL_LINES)
    .map((line) => fit(oneLine(line), width - 3));
}

function statusText(state: State, next: PlanTask | null, now: number): string {
  if (state.wait !== null) {
    if (state.wait.why === "paused") return `⏸ Paused. Go on with: ralph resume${stopText(state)}`;
    const left = Math.max(0, Date.parse(state.wait.until) - now);
    return `⏸ ${countdown(left)}  ${waitLine(state.wait.why, "", state.wait.until)}${stopText(state)}`;
  }
  const { MAX_CALLS_PER_HOUR: limit, MAX_ITERATIONS: most, MAX_COST_USD: dearest } = state.settings;
  const began = state.open === null ? state.started_at : state.open.started_at;
  const parts = [
    `${FRAMES[Math.floor(now / 1000) % FRAMES.length]} iteration ${state.iteration}${typeof most === "number" ? ` of ${most + state.more_iterations}` : ""}`,
    duration(Math.max(0, now - Date.parse(began))),
    next === null ? null : oneLine(next.text),
    tokensOf(state.usage) === 0 ? null : `${tokens(tokensOf(state.usage))} tokens`,
    state.usage.cost_usd === null
      ? null
      : `${money(state.usage.cost_usd)}${typeof dearest === "number" ? ` of ${money(dearest)}` : ""}`,
    typeof limit === "number" ? `${Math.max(0, limit - state.budget.calls)} calls left` : null,
    state.breaker.state === "closed" ? null : `breaker ${state.breaker.state.toUpperCase()}`,
  ];
  return parts.filter((part) => part !== null).join(" · ") + stopText(state);
}

function stopText(state: State): string {
  if (state.stop_requested !== null) return " · stopping";
  return state.paused && state.wait === null ? " · pausing" : "";
}

/** `1:02:03`, `02:03`. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((n, index) => (index === 0 ? String(n) : String(n).padStart(2, "0"))).join(":");
}
