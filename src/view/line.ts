import type { EventOf, RalphEvent, WaitReason } from "../core/event.ts";
import { gatePassed } from "../core/gates.ts";
import type { OpenTool } from "../core/open-tools.ts";
import type { State } from "../core/state.ts";
import { readStatus } from "../core/status-block.ts";
import { tokensOf } from "../core/usage.ts";
import { count, duration, money, spent, tokens } from "./figures.ts";
import { markdownLines } from "./markdown.ts";
import { nextStep } from "./next-step.ts";
import type { Shorten } from "./path.ts";
import type { Style } from "./style.ts";
import { columns, fit, oneLine, plain, wrap } from "./text.ts";
import { openToolLine, toolLines } from "./tool-line.ts";

export type LineOptions = {
  /** Columns of the terminal; lines are folded or cut to it. */
  width: number;
  style: Style;
  shorten: Shorten;
  /** Show tool results that went well, retries and notes of level info. */
  verbose: boolean;
  /** The agent's text and tools. */
  live: boolean;
};

/**
 * One event as lines for a person: the one function behind the live view, `ralph logs` and replay, so that they
 * can't differ.
 * @param previous the state before the event
 */
export function linesOf(event: RalphEvent, state: State, previous: State, options: LineOptions): string[] {
  const { style, width } = options;
  switch (event.type) {
    case "run_started":
      return header(event, state, options);
    case "run_recovered":
      return [
        style.yellow(
          `↻ Recovered from run ${event.of_run}${event.interrupted_iteration === null ? "" : `, which ended in iteration ${event.interrupted_iteration}`}.`,
        ),
      ];
    case "iteration_started":
      return event.call > 1
        ? [style.dim(`  call ${event.call} of iteration ${event.number}`)]
        : ["", iterationHeader(event, state, options), ...saidLines(previous, options)];
    case "agent_text":
      return options.live ? [...withoutEnd(previous, state, options), ...textLines(event, options)] : [];
    case "agent_tool_started":
      // The line comes with its result; while the tool runs, it stands above the status line.
      return [];
    case "agent_tool_finished":
      return options.live ? toolLines(previous.tools.find(startedAs(event)) ?? null, event, options) : [];
    case "agent_limit":
      return [
        style.yellow(
          fit(`  ${event.kind === "usage_limit" ? "Usage limit" : "Rate limit"}: ${oneLine(event.message)}`, width),
        ),
      ];
    case "agent_retry":
      return options.verbose
        ? [style.dim(fit(`  The agent retries (${event.attempt}): ${oneLine(event.reason)}`, width))]
        : [];
    case "agent_finished":
      return [
        ...(options.live ? withoutEnd(previous, state, options) : []),
        ...(event.error !== null && event.repeat === "session"
          ? [style.yellow("  The session is unknown to the agent; once more without it.")]
          : []),
      ];
    case "gate_finished":
      return [
        `  ${gatePassed(event) ? style.green("✓") : style.red("✗")} ${fit(`gate: ${oneLine(event.command)}`, width - 16)} ${style.dim(duration(event.ms))}`,
      ];
    case "review_started":
      return [style.dim("  Reviewing what changed.")];
    case "import_started":
      return wrap(`  ${importWords(event)}`, width).map(event.missing.length === 0 ? style.dim : style.yellow);
    case "review_finished": {
      const lines = wrap(oneLine(options.shorten(event.sentence)), width - 4);
      return lines.map((line, index) => (index === 0 ? `  ${style.cyan("⚑")} ${line}` : `    ${line}`));
    }
    case "iteration_finished":
      return verdict(event, previous, options);
    case "iteration_interrupted":
      return [style.yellow(`  Iteration ${event.number} was interrupted: ${event.why}.`)];
    case "wait_started":
      return [style.yellow(`  ${waitLine(event.why, isLimit(event.why) ? "" : event.message, event.until)}`)];
    case "stop_requested":
      return [
        style.yellow(
          event.how === "now"
            ? "  Stopping now."
            : `  Stopping after this iteration. ${event.by === "SIGINT" ? "Ctrl+C again" : "ralph stop --now"} ends it now.`,
        ),
      ];
    case "stop_withdrawn":
      return ["  Going on: the stop was withdrawn."];
    case "said":
      return wrap(`  ✉ For the next prompt: ${oneLine(event.text)}`, width).map(style.cyan);
    case "paused":
      return [style.yellow(state.open === null ? "  Paused." : "  Pausing after this iteration.")];
    case "resumed":
      return ["  Going on."];
    case "bound_raised":
      return [`  ${count(event.iterations, "more iteration is", "more iterations are")} allowed.`];
    case "reset":
      return options.verbose ? [style.dim(`  Reset: ${event.what} (${event.reason}).`)] : [];
    case "note":
      if (event.level === "info" && !options.verbose) return [];
      return wrap(
        `  ${event.level === "error" ? "✗" : event.level === "warn" ? "!" : "·"} ${oneLine(options.shorten(event.text))}`,
        width,
      ).map((line) =>
        event.level === "error" ? style.red(line) : event.level === "warn" ? style.yellow(line) : style.dim(line),
      );
    case "run_finished":
      return receipt(event, state, options);
    default:
      return [];
  }
}

/** The agent's words; its status block is left out, since the verdict says what came of it. */
function textLines(event: EventOf<"agent_text">, { style, width, shorten }: LineOptions): string[] {
  const words = proseOf(shorten(event.text));
  if (words === "") return [];
  if (event.nested === true) return wrap(words, width - 4).map((line) => `    ${style.dim(line)}`);
  return markdownLines(words, width - 2, style).map((line) => `  ${line}`.trimEnd());
}

/** An agent's text, safe to print, without its status block. */
export function proseOf(text: string): string {
  return readStatus(plain(text)).prose.join("\n").trim();
}

/** What the user said and this iteration is the first to hear. */
function saidLines({ said }: State, { style, width }: LineOptions): string[] {
  return said
    .filter(({ used_in }) => used_in === null)
    .flatMap(({ text }) => wrap(`  ✉ Told the agent: ${oneLine(text)}`, width).map(style.cyan));
}

/** Tools of which no result came, or none yet when the agent went on. */
function withoutEnd(previous: State, state: State, options: LineOptions): string[] {
  const left = previous.tools.filter((tool) => !state.tools.includes(tool));
  return left.map((tool) => openToolLine(tool, options));
}

function startedAs(event: EventOf<"agent_tool_finished">): (tool: OpenTool) => boolean {
  return (tool) => tool.tool_id === event.tool_use_id;
}

function header(event: EventOf<"run_started">, state: State, { style, width }: LineOptions): string[] {
  const settings = event.settings;
  const bounds = [
    bound(settings.MAX_ITERATIONS, (n) => count(n, "iteration")),
    bound(settings.MAX_COST_USD, money),
    bound(settings.MAX_TOKENS, (n) => `${tokens(n)} tokens`),
    bound(settings.MAX_TIME, (n) => duration(n * 60_000)),
    typeof settings.STOP_AT === "string" ? `until ${settings.STOP_AT}` : null,
  ].filter((part) => part !== null);
  if (event.started_by === "import")
    return [
      `${style.bold("ralph")} ${style.dim(state.version)}  ${event.driver} · import, reads only`,
      style.dim(fit(`${state.project}`, width)),
    ];
  const limits = `${bounds.length === 0 ? "no bound set" : `at most ${bounds.join(", ")}`} · ${settings.MAX_CALLS_PER_HOUR} calls an hour`;
  const permission = typeof settings.CLAUDE_PERMISSION_MODE === "string" ? ` · ${settings.CLAUDE_PERMISSION_MODE}` : "";
  return [
    `${style.bold("ralph")} ${style.dim(state.version)}  ${event.driver}${permission}`,
    style.dim(fit(`${state.project}`, width)),
    style.dim(limits),
  ];
}

function bound(value: unknown, format: (n: number) => string): string | null {
  return typeof value === "number" && value > 0 ? format(value) : null;
}

function iterationHeader(event: EventOf<"iteration_started">, state: State, { style, width }: LineOptions): string {
  const plan = event.plan === null || event.plan.total === 0 ? "" : `  plan ${event.plan.checked}/${event.plan.total}`;
  const breaker =
    state.breaker.state === "closed" ? "" : `  breaker ${state.breaker.state === "open" ? "OPEN" : "HALF_OPEN"}`;
  const title = `Iteration ${event.number}`;
  const rule = "─".repeat(Math.max(2, Math.min(width, 72) - columns(title) - columns(plan) - columns(breaker) - 3));
  return `${style.bold(title)} ${style.dim(rule)}${style.dim(plan)}${style.yellow(breaker)}`;
}

function verdict(
  event: EventOf<"iteration_finished">,
  previous: State,
  { style, width, shorten }: LineOptions,
): string[] {
  const good = event.evidence.progress && event.outcome !== "failed";
  const mark = event.outcome === "failed" ? style.red("✗") : good ? style.green("✓") : style.yellow("•");
  const figures = [
    duration(event.ms),
    tokensOf(event.usage) > 0 ? `${tokens(tokensOf(event.usage))} tokens` : null,
    spent(event.usage.cost_usd),
  ].filter((part) => part !== null);
  const lines = wrap(shorten(oneLine(event.verdict.sentence)), width - 4);
  const breaker =
    event.breaker.state !== previous.breaker.state
      ? [
          style.yellow(
            `    Circuit breaker: ${event.breaker.state === "open" ? `OPEN. ${event.breaker.sentence}` : event.breaker.state.toUpperCase()}`,
          ),
        ]
      : [];
  return [
    ...lines.map((line, index) => (index === 0 ? `  ${mark} ${line}` : `    ${line}`)),
    style.dim(`    ${figures.join(" · ")}`),
    ...breaker,
  ];
}

/** A limit's own words already stand above its wait. */
function isLimit(why: WaitReason): boolean {
  return why === "usage_limit" || why === "rate_limit";
}

/** A wait in words, for the line and for the countdown. */
export function waitLine(why: WaitReason, message: string, until: string): string {
  const names: Record<WaitReason, string> = {
    call_budget: "Call budget used up",
    token_budget: "Token budget used up",
    usage_limit: "Waiting for the provider's usage limit",
    rate_limit: "Waiting for the provider's rate limit",
    failure: "Pausing after a failed call",
    offline: "Offline",
    paused: "Paused",
  };
  const detail = oneLine(message);
  if (why === "paused") return "Paused. Go on with: ralph resume";
  return `${names[why]}, until ${clockTime(until)}${detail === "" ? "" : `: ${detail}`}`;
}

/** HH:MM:SS of an ISO time in local time. */
export function clockTime(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
}

function receipt(event: EventOf<"run_finished">, state: State, options: LineOptions): string[] {
  const { style, width, shorten } = options;
  const mark =
    event.exit_code === 0
      ? style.green("✓")
      : event.exit_code === 1 || event.exit_code === 7
        ? style.red("✗")
        : style.yellow("■");
  const wall = Date.parse(event.at) - Date.parse(state.started_at);
  const isImport = state.started_by === "import";
  const figures = [
    isImport ? null : event.iterations === 0 ? "no iteration" : count(event.iterations, "iteration"),
    event.calls === 0 ? null : count(event.calls, "call"),
    duration(Number.isFinite(wall) ? wall : 0),
    tokensOf(event.usage) > 0 ? `${tokens(tokensOf(event.usage))} tokens` : null,
    spent(event.cost_usd),
    state.plan === null || state.plan.total === 0 ? null : `plan ${state.plan.checked}/${state.plan.total}`,
  ].filter((part) => part !== null);
  const sentence = wrap(shorten(oneLine(event.sentence)), width - 2);
  return [
    "",
    `${mark} ${style.bold(event.stop_reason)} ${style.dim(`(exit ${event.exit_code})`)}`,
    ...sentence.map((line) => `  ${line}`),
    style.dim(`  ${figures.join(" · ")}`),
    ...evidence(state, options),
    // One that came to nothing says itself how it is done again.
    ...(isImport && event.stop_reason !== "import_complete" ? [] : wrap(`  ${nextStep(event.stop_reason)}`, width)),
  ];
}

const MOST_NAMES = 8;

function importWords({ document, missing }: EventOf<"import_started">): string {
  if (missing.length === 0) return `Reading ${oneLine(document)}.`;
  const more = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : "";
  return `The answer leaves out ${missing.slice(0, MOST_NAMES).map(oneLine).join(", ")}${more}: asking once more.`;
}

/** What the last iteration left behind, as far as it is known. */
function evidence({ last, gates }: State, { style, width }: LineOptions): string[] {
  const facts = [
    last?.evidence.head == null ? null : `HEAD ${last.evidence.head.slice(0, 8)}`,
    ...gates.map((gate) => `${gate.ok ? "✓" : "✗"} ${oneLine(gate.command)}`),
    last?.analysis.tests_status == null ? null : `tests ${last.analysis.tests_status} (the agent says)`,
  ].filter((fact) => fact !== null);
  return facts.length === 0 ? [] : [style.dim(fit(`  ${facts.join(" · ")}`, width))];
}
