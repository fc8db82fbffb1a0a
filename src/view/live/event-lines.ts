import { gatePassed } from "../../core/decide/gate-rules.ts";
import { isFlake } from "../../core/gates/gate-trust.ts";
import { NO_TESTS, uncheckedText } from "../../core/gates/unchecked-text.ts";
import { reasonText, weakenedText } from "../../core/gates/weakened-text.ts";
import type { EventOf, RareEvent } from "../../core/journal/event.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { State } from "../../core/journal/state.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { num } from "../../core/json-value.ts";
import { landWords } from "../../core/land/words.ts";
import { answerCommand } from "../../core/needs/needs.ts";
import { newestNumber } from "../../core/needs/questions.ts";
import { iterationName, namedSentence } from "../../core/report/iteration-name.ts";
import { openWords } from "../../core/report/open-words.ts";
import { taskTitle } from "../../core/run-title.ts";
import type { CircuitBreaker } from "../../core/stop/circuit-breaker.ts";
import { count } from "../../core/text/count.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { idleIterations, needsYou } from "../../core/words.ts";
import { receipt } from "../receipt.ts";
import { cost, duration, tokenCount } from "../text/figures.ts";
import { forecastText } from "../text/forecast-text.ts";
import { iterationMark, markedIteration } from "../text/iteration-mark.ts";
import { markdownLines } from "../text/markdown.ts";
import { EVENT_MARKS, gateMark } from "../text/marks.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import { columns, fit, hanging, plain, wrap } from "../text/text.ts";
import { boundTexts } from "./headroom-text.ts";
import { proseOf } from "./prose.ts";
import { toolEndLines, toolLine, toolLines } from "./tool-line.ts";
import { runWaitLine } from "./wait-line.ts";

export type LineOptions = {
  /** Columns of the terminal; lines are folded or cut to it. */
  width: number;
  style: Style;
  shorten: Shorten;
  /** Show successful tool results, retries and notes of level info. */
  verbose: boolean;
  /** Show the agent's text and tools. */
  live: boolean;
  /** Show a tool when it is called, and its end below: for lines without a footer that shows what runs. */
  toolsAsCalled: boolean;
};

/**
 * Formats one event as lines. The live view, `ralph logs` and replay share this function, so they cannot differ.
 */
export function eventLines(step: EventStep, options: LineOptions): string[] {
  const { event, state, previous } = step;
  switch (event.type) {
    case "agent_text":
      return options.live ? [...withoutEnd(previous, state, options), ...textLines(event, options)] : [];
    case "agent_tool_started":
      // Otherwise the line comes with the tool's result; a running tool is above the status line.
      return options.live && options.toolsAsCalled ? [toolLine(event, options, "")] : [];
    case "agent_tool_finished":
      return options.live ? toolEnd(event, previous, options) : [];
    default:
      return rareLines(event, step, options);
  }
}

/** The same of all other events, apart for the compiler's sake (reduce.ts). */
function rareLines(event: RareEvent, { state, previous }: EventStep, options: LineOptions): string[] {
  const { style, width } = options;
  const indented = (text: string, paint = (line: string) => line) => wrap(`  ${text}`, width).map(paint);
  switch (event.type) {
    case "run_started":
      return header(event, state, options);
    case "run_recovered":
      return wrap(
        `↻ Recovered from run ${event.of_run}${event.interrupted_iteration === null ? "" : `, which ended in iteration ${event.interrupted_iteration}`}.`,
        width,
      ).map(style.yellow);
    case "iteration_started":
      return event.call > 1
        ? [style.dim(`  call ${event.call} of iteration ${event.number}`)]
        : ["", iterationHeader(event, state, options), ...messageLines(previous, options)];
    case "agent_limit":
      return [
        style.yellow(
          fit(`  ${event.kind === "usage_limit" ? "Usage limit" : "Rate limit"}: ${singleLine(event.message)}`, width),
        ),
      ];
    case "agent_retry":
      return options.verbose
        ? [style.dim(fit(`  The agent retries (${event.attempt}): ${singleLine(event.reason)}`, width))]
        : [];
    case "agent_finished":
      return [
        ...(options.live ? withoutEnd(previous, state, options) : []),
        ...(event.error !== null && event.repeat === "session"
          ? indented(
              event.error.class === "context"
                ? "This conversation cannot go on; trying again with a new one."
                : "The agent does not know this session; trying again without it.",
              style.yellow,
            )
          : []),
      ];
    case "gate_finished":
      return checkLines("gate", event, options);
    case "gate_weakened":
      return weakenedLines(event, options);
    case "done_unchecked":
      return indented(`! ${singleLine(uncheckedText(event))}`, style.yellow);
    case "gate_restored":
      return indented("The gates are as strong again as at the start.");
    case "gate_accepted":
      return indented("The gates are accepted as they are.");
    case "review_started":
      return indented("Reviewing what changed.", style.dim);
    case "import_started":
      return indented(importWords(event), event.missing.length === 0 ? style.dim : style.yellow);
    case "review_finished":
      return marked(style.cyan("⚑"), event.sentence, options);
    case "look_started":
      return indented(`Before done is believed, ${singleLine(event.display_name)} looks at the work.`, style.dim);
    case "gap_checked":
      return checkLines("look", event, options);
    case "look_finished":
      return marked((event.result === "none" ? style.cyan : style.yellow)("⚑"), event.sentence, options);
    case "iteration_finished":
      return verdict(event, previous, options);
    case "iteration_interrupted":
      return indented(`Iteration ${event.number} was interrupted: ${event.why}.`, style.yellow);
    case "wait_started":
      return indented(runWaitLine(event, state, Date.parse(event.at)), style.yellow);
    case "stop_requested":
      return indented(stopRequestText(event, state), style.yellow);
    case "stop_withdrawn":
      return indented("Going on: the stop was withdrawn.");
    case "said":
      return indented(`✉ For the next prompt: ${singleLine(event.text)}`, style.cyan);
    case "said_passed_on":
      return indented(`✉ Passed on to ${event.workers.join(", ")}: ${singleLine(event.text)}`, style.cyan);
    case "question_asked":
      return questionLines(event, state, options);
    case "question_answered":
      return indented(`✉ Answered for the next prompt: ${singleLine(event.text)}`, style.cyan);
    case "paused":
      // The wait ends with this event, and the next one announces the pause.
      if (state.wait !== null) return [];
      return indented(state.open === null ? "Pausing." : "Pausing after this iteration.", style.yellow);
    case "resumed":
      return indented("Going on.");
    case "bound_raised":
      return indented(`${count(event.iterations, "more iteration is", "more iterations are")} allowed.`);
    case "reset":
      return options.verbose ? indented(`Reset: ${event.what} (${event.reason}).`, style.dim) : [];
    case "land_stacked":
    case "land_tested":
    case "landed":
    case "land_returned":
    case "land_held":
      return landLines(event, options);
    case "task_claimed":
      return indented(`→ ${event.worker}  ${singleLine(event.text)}`, style.cyan);
    case "task_released":
      return releaseLines(event, previous, options);
    case "git_step":
      return gitStepLines(event, options);
    case "forecast_made":
      return indented(forecastText(event), style.dim);
    case "note": {
      if (event.level === "info" && !options.verbose) return [];
      const { mark, paint } = EVENT_MARKS[NOTE_TONES[event.level]];
      return indented(`${mark} ${singleLine(options.shorten(event.text))}`, style[paint]);
    }
    case "run_finished":
      return receipt(event, state, options);
    default:
      return [];
  }
}

const RELEASED = { handed_in: "handed in", given_back: "given back", parked: "set aside", lost: "lost" } as const;

function releaseLines(
  event: EventOf<"task_released">,
  { tasks_at_work, left_at_work }: State,
  { style, width }: LineOptions,
): string[] {
  const text = [...tasks_at_work, ...left_at_work].find(({ task }) => task === event.task)?.text ?? event.task;
  const isDone = event.outcome === "handed_in";
  const why = isDone ? "" : `: ${singleLine(event.why)}`;
  const mark = isDone ? style.green("✓") : style.yellow("!");
  return wrap(`  ${mark} ${event.worker}  ${RELEASED[event.outcome]}  ${singleLine(text)}${why}`, width);
}

function stopRequestText({ how, by }: EventOf<"stop_requested">, { open, wait }: State): string {
  if (how === "now") return "Stopping now.";
  if (open === null || wait !== null) return "Stopping.";
  return `Stopping after this iteration. ${by === "SIGINT" ? "Ctrl+C again" : "ralph stop --now"} ends it now.`;
}

function landLines(event: Parameters<typeof landWords>[0], options: LineOptions): string[] {
  const { tone, text } = landWords(event);
  const { mark, paint } = EVENT_MARKS[tone];
  return marked(options.style[paint](mark), text, options);
}

const NOTE_TONES = { error: "bad", warn: "warn", info: "quiet" } as const;

/** A sentence behind a mark. */
function marked(mark: string, sentence: string, { width, shorten }: LineOptions): string[] {
  return hanging(`  ${mark} `, singleLine(shorten(sentence)), width);
}

/** The agent's text without its status block, because the verdict has its outcome. */
function textLines(event: EventOf<"agent_text">, { style, width, shorten }: LineOptions): string[] {
  const words = proseOf(shorten(event.text));
  if (words === "") return [];
  if (event.nested === true) return wrap(words, width - 4).map((line) => `    ${style.dim(line)}`);
  return markdownLines(words, width - 2, style).map((line) => `  ${line}`.trimEnd());
}

function gitStepLines({ result, text }: EventOf<"git_step">, options: LineOptions): string[] {
  const { style, verbose } = options;
  if (result === "begun" && !verbose) return [];
  return marked(result === "done" || result === "begun" ? style.cyan("⎇") : style.yellow("!"), text, options);
}

/** A question for a person, on one line since the answer itself stands above, and how to answer it. The verdict tells of a denial. */
function questionLines(
  { kind, text, parked }: EventOf<"question_asked">,
  { inbox }: State,
  { style, width, shorten }: LineOptions,
): string[] {
  if (kind === "denied") return [];
  const aside = parked ? "The task is set aside. " : "";
  return [
    fit(`  ${style.yellow("?")} ${needsYou(kind, singleLine(shorten(text)))}`, width),
    ...wrap(`    ${aside}Answer with: ${answerCommand(newestNumber(inbox))}`, width).map(style.dim),
  ];
}

/** The user's messages that this iteration is the first to receive. */
function messageLines({ said }: State, { style, width }: LineOptions): string[] {
  return said
    .filter(({ used_in }) => used_in === null)
    .flatMap(({ text }) => wrap(`  ✉ Told the agent: ${singleLine(text)}`, width).map(style.cyan));
}

function toolEnd(event: EventOf<"agent_tool_finished">, { tools }: State, options: LineOptions): string[] {
  const started = tools.find((tool) => tool.tool_id === event.tool_use_id) ?? null;
  if (!options.toolsAsCalled) return toolLines(started, event, options);
  return toolEndLines(started, event, { ...options, isAlone: tools.length === 1 });
}

/** Tools without a result when the agent continues or ends. */
function withoutEnd(previous: State, state: State, options: LineOptions): string[] {
  if (options.toolsAsCalled) return [];
  const left = previous.tools.filter((tool) => !state.tools.includes(tool));
  return left.map((tool) => toolLine(tool, options, ""));
}

function header(event: EventOf<"run_started">, state: State, { style, width }: LineOptions): string[] {
  const { settings } = event;
  const title = taskTitle(state.task);
  // What is really run, where it is not the agent's own program.
  const { CLAUDE_CODE_CMD } = settings;
  const command = typeof CLAUDE_CODE_CMD === "string" ? ` (${singleLine(CLAUDE_CODE_CMD)})` : "";
  const agent = `${singleLine(state.display_name)}${command}`;
  const about = (text: string) => [
    ...wrap(`${style.bold("ralph")} ${style.dim(state.version)}  ${text}`, width),
    ...(title === null ? [] : [style.bold(fit(title, width))]),
    style.dim(fit(singleLine(state.project), width)),
  ];
  if (event.started_by === "import") return about(`${agent} · import, reads only`);
  if (event.started_by === "land") return about("land");
  const bounds = boundTexts(settings);
  const limits = `${bounds.length === 0 ? "no bound set" : `at most ${bounds.join(", ")}`} · ${count(num(settings.MAX_CALLS_PER_HOUR) ?? 0, "call")} an hour`;
  const permission = typeof settings.CLAUDE_PERMISSION_MODE === "string" ? ` · ${settings.CLAUDE_PERMISSION_MODE}` : "";
  const look = event.reviewer === undefined ? "" : ` · ${singleLine(event.reviewer)} looks at it before done`;
  const sandbox = event.sandbox === undefined ? [] : wrap(singleLine(event.sandbox), width).map(style.dim);
  return [...about(agent + permission), ...sandbox, ...wrap(limits + look, width).map(style.dim)];
}

const RULE_END = 72;
const LEAST_RULE = 2;
/** With less room a task's text is meaningless. */
const TASK_COLUMNS = 12;

/** Parts without room beside the number are also in the status line. */
function iterationHeader(event: EventOf<"iteration_started">, state: State, { style, width }: LineOptions): string {
  const plan = event.plan === null || event.plan.total === 0 ? "" : `  plan ${event.plan.checked}/${event.plan.total}`;
  const breaker =
    state.breaker.state === "closed" ? "" : `  breaker ${state.breaker.state === "open" ? "OPEN" : "HALF_OPEN"}`;
  const number = `Iteration ${event.number}`;
  const whole = Math.min(width, RULE_END) - 3;
  const task = singleLine(event.task ?? "");
  const forTask = whole - columns(number) - columns(plan) - columns(breaker) - LEAST_RULE - 2;
  const title = task === "" || forTask < TASK_COLUMNS ? number : `${number}  ${fit(task, forTask)}`;
  const room = whole - columns(title);
  const fits = (text: string) => columns(text) + LEAST_RULE <= room;
  const after = (fits(plan) ? style.dim(plan) : "") + (fits(plan + breaker) ? style.yellow(breaker) : "");
  return `${style.bold(title)} ${style.dim("─".repeat(Math.max(LEAST_RULE, room - columns(after))))}${after}`;
}

function verdict(event: EventOf<"iteration_finished">, previous: State, options: LineOptions): string[] {
  const { style, width } = options;
  const mark = iterationMark(markedIteration(event), style);
  const figures = [
    duration(event.ms),
    totalTokens(event.usage) > 0 ? tokenCount(totalTokens(event.usage)) : null,
    cost(event.usage),
  ].filter((part) => part !== null);
  const below = (text: string, paint: (line: string) => string) => wrap(`    ${text}`, width).map(paint);
  return [
    ...marked(mark, namedSentence(workName(event), event.verdict.sentence), options),
    ...below(figures.join(" · "), style.dim),
    ...(event.breaker.state === previous.breaker.state
      ? []
      : below(`Circuit breaker: ${breakerWords(event.breaker)}`, style.yellow)),
  ];
}

const FLAKE_COLUMNS = 40;

/** The answer itself stands above: its first line would only repeat it. */
function workName(event: EventOf<"iteration_finished">): string | null {
  return iterationName({ ...event, analysis: { work_summary: "" } });
}

/** A gate or the command of a look, and what failed in a red one. */
function checkLines(
  kind: "gate" | "look",
  event: Omit<EventOf<"gate_finished">, "type">,
  { style, width, shorten }: LineOptions,
): string[] {
  const passed = gatePassed(event);
  const time = event.ms < 1000 ? "" : style.dim(` ${duration(event.ms)}`);
  const room = width - 4 - columns(time) - (isFlake(event) ? FLAKE_COLUMNS : 0);
  const command = fit(`${kind}: ${singleLine(event.command)}`, room);
  const failure = event.timed_out ? "It ran out of time." : whatFailed(event, shorten);
  const flake = isFlake(event) ? style.yellow(" red, then green on the same tree: flaky") : "";
  const { no_tests } = event;
  const lines = [`  ${gateMark({ ok: passed, no_tests }, style)} ${command}${time}${flake}`];
  if (no_tests) return [...lines, style.yellow(fit(`    ${NO_TESTS}`, width))];
  return passed || failure === "" ? lines : [...lines, style.dim(fit(`    ${failure}`, width))];
}

const MOST_REASONS = 6;

/** Gates that got weaker, with what changed. */
function weakenedLines(event: EventOf<"gate_weakened">, options: LineOptions): string[] {
  const { style, width, shorten } = options;
  const { reasons, diff } = event;
  const more = reasons.length - MOST_REASONS;
  const below = (text: string) => fit(`    ${plain(shorten(text))}`, width);
  return [
    ...marked(style.yellow("!"), weakenedText(event), options),
    ...reasons.slice(0, MOST_REASONS).map((reason) => style.yellow(below(singleLine(reasonText(reason))))),
    ...(more > 0 ? [style.yellow(below(`and ${more} more`))] : []),
    ...diff
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => style.dim(below(line))),
  ];
}

/** The first failure that the output names: its last words are often only a count, or the time that it took. */
function whatFailed({ failing = [], tail, output }: Omit<EventOf<"gate_finished">, "type">, shorten: Shorten): string {
  const [first] = failing;
  if (first === undefined) return lastWords(shorten(tail ?? output));
  return `${singleLine(shorten(first))}${failing.length > 1 ? ", and more" : ""}`;
}

function lastWords(output: string): string {
  return (
    plain(output)
      .split("\n")
      .map(singleLine)
      .findLast((line) => line !== "") ?? ""
  );
}

function breakerWords(breaker: CircuitBreaker): string {
  if (breaker.state === "open") return openWords(breaker.reason);
  if (breaker.state === "closed") return "CLOSED";
  return breaker.no_progress === 0 ? "HALF_OPEN" : `HALF_OPEN, ${idleIterations(breaker.no_progress)}`;
}

const MOST_NAMES = 8;

function importWords({ document, missing }: EventOf<"import_started">): string {
  if (missing.length === 0) return `Reading ${singleLine(document)}.`;
  return `The answer leaves out ${firstNames(missing.map(singleLine), MOST_NAMES)}: asking once more.`;
}
