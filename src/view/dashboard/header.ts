import type { State } from "../../core/state.ts";
import { STOPS } from "../../core/stop.ts";
import { tokensOf } from "../../core/usage.ts";
import { duration, money, tokens } from "../figures.ts";
import { countdown } from "../footer.ts";
import { waitLine } from "../line.ts";
import type { Style } from "../style.ts";
import { oneLine } from "../text.ts";
import { clip, spread } from "./layout.ts";

export type HeaderInput = { state: State; alive: boolean; now: number; width: number; style: Style };

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Which run this is, and what it does now. */
export function header({ state, alive, now, width, style }: HeaderInput): string[] {
  const name = state.settings.PROJECT_NAME;
  const project =
    typeof name === "string" && name !== "my-project" ? name : (state.project.split(/[\\/]/).at(-1) ?? "");
  const agent = [state.driver, state.usage.model, state.settings.CLAUDE_PERMISSION_MODE].filter(
    (part, index, all): part is string => typeof part === "string" && part !== "" && all.indexOf(part) === index,
  );
  if (state.run === "")
    return [
      clip(`${style.bold("ralph")}  ${oneLine(project)}`, width),
      style.dim("Waiting for a run. Start one with: ralph run"),
    ];
  return [
    spread(`${style.bold("ralph")}  ${oneLine(project)}`, style.dim(agent.join(" · ")), width),
    spread(activity(state, alive, now, style), style.dim(totals(state, now)), width),
  ];
}

function activity(state: State, alive: boolean, now: number, style: Style): string {
  const { finished, wait, open, stop_requested, settings } = state;
  if (finished !== null) {
    const paint = finished.exit_code === 0 ? style.green : style.yellow;
    return `${paint(finished.exit_code === 0 ? "✓" : "■")} ${style.bold(finished.reason)}  ${oneLine(finished.sentence || STOPS[finished.reason].text)}`;
  }
  if (!alive)
    return `${style.red("○")} ${style.bold("gone")}  The process ended without a word; ralph run goes on where it was.`;
  const stopping =
    stop_requested === null
      ? ""
      : style.yellow(stop_requested.how === "now" ? "  stopping now" : "  stopping after this iteration");
  if (wait?.why === "paused") return `${style.yellow("⏸")} ${style.bold("paused")}  p goes on${stopping}`;
  if (wait !== null) {
    const left = countdown(Math.max(0, Date.parse(wait.until) - now));
    return `${style.yellow("⏸")} ${style.bold(left)}  ${waitLine(wait.why, "", wait.until)}${stopping}`;
  }
  const most =
    typeof settings.MAX_ITERATIONS === "number" ? ` of ${settings.MAX_ITERATIONS + state.more_iterations}` : "";
  const since = open === null ? "" : `  ${duration(Math.max(0, now - Date.parse(open.started_at)))}`;
  const doing = state.gate !== null ? "  gate" : state.review.open !== null ? "  review" : "";
  const pausing = state.paused ? style.yellow("  pausing after this iteration") : "";
  const spin = FRAMES[Math.floor(now / 1000) % FRAMES.length];
  return `${style.cyan(String(spin))} ${state.iteration === 0 ? style.bold("starting") : `${style.bold(`iteration ${state.iteration}`)}${most}`}${since}${doing}${pausing}${stopping}`;
}

function totals(state: State, now: number): string {
  const end = state.finished === null ? now : Date.parse(state.finished.at);
  const wall = Math.max(0, end - Date.parse(state.started_at));
  return [
    tokensOf(state.usage) === 0 ? null : `${tokens(tokensOf(state.usage))} tokens`,
    state.usage.cost_usd === null ? null : money(state.usage.cost_usd),
    duration(Number.isFinite(wall) ? wall : 0),
    `run ${state.run.split("-")[0]}`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
