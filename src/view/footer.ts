import type { PlanTask } from "../core/plan.ts";
import type { State } from "../core/state.ts";
import { tokensOf } from "../core/usage.ts";
import { duration, money, tokens } from "./figures.ts";
import { waitLine } from "./line.ts";
import type { Style } from "./style.ts";
import { fit, oneLine } from "./text.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const PARTIAL_LINES = 6;

export type FooterInput = {
  state: State;
  /** The block that the agent is writing, or "". */
  partial: string;
  next: PlanTask | null;
  width: number;
  style: Style;
  /** Epoch ms. */
  now: number;
};

/** The lines below the output while a run lives: the block being written, and one status line. Empty when there is no run. */
export function footerLines({ state, partial, next, width, style, now }: FooterInput): string[] {
  if (state.run === "" || state.finished !== null) return [];
  const written = partial === "" ? [] : oneBlock(partial, width);
  return [...written.map((line) => `  ${line}`), style.dim(fit(statusText(state, next, now), width - 1))];
}

function oneBlock(partial: string, width: number): string[] {
  return partial
    .trimEnd()
    .split("\n")
    .slice(-PARTIAL_LINES)
    .map((line) => fit(oneLine(line), width - 3));
}

function statusText(state: State, next: PlanTask | null, now: number): string {
  if (state.wait !== null) {
    const left = Math.max(0, Date.parse(state.wait.until) - now);
    return `⏸ ${countdown(left)}  ${waitLine(state.wait.why, "", state.wait.until)}${stopText(state)}`;
  }
  const limit = state.settings.MAX_CALLS_PER_HOUR;
  const began = state.open === null ? state.started_at : state.open.started_at;
  const parts = [
    `${FRAMES[Math.floor(now / 1000) % FRAMES.length]} iteration ${state.iteration}`,
    duration(Math.max(0, now - Date.parse(began))),
    next === null ? null : oneLine(next.text),
    tokensOf(state.usage) === 0 ? null : `${tokens(tokensOf(state.usage))} tokens`,
    state.usage.cost_usd === null ? null : money(state.usage.cost_usd),
    typeof limit === "number" ? `${Math.max(0, limit - state.budget.calls)} calls left` : null,
    state.breaker.state === "closed" ? null : `breaker ${state.breaker.state.toUpperCase()}`,
  ];
  return parts.filter((part) => part !== null).join(" · ") + stopText(state);
}

function stopText(state: State): string {
  return state.stop_requested === null ? "" : " · stopping";
}

/** `1:02:03`, `02:03`. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((n, index) => (index === 0 ? String(n) : String(n).padStart(2, "0"))).join(":");
}
