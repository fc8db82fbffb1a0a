import { shownDenials } from "../core/answer/denial.ts";
import { continueCommand } from "../core/continue-command.ts";
import { HOUR_MS } from "../core/durations.ts";
import type { TaskAtWork } from "../core/journal/state.ts";
import type { Denied, StatusReport } from "../core/report/status-report.ts";
import { taskTitle } from "../core/run-title.ts";
import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { projectAboveHint, START_RUN_HINT } from "../core/text/hints.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { idleIterations } from "../core/words.ts";
import { headroomText } from "./live/headroom-text.ts";
import { waitLine } from "./live/wait-line.ts";
import { besideNextStep, needLines } from "./needs.ts";
import { nextStep } from "./next-step.ts";
import { PROOF } from "./proof-words.ts";
import { type SwarmLinesInput, workerLines } from "./swarm-lines.ts";
import { cost, duration, tokenClasses, tokenCount } from "./text/figures.ts";
import { forecastText } from "./text/forecast-text.ts";
import { BROKE_OFF, END_MARKS, endName, endPaint, gateMark } from "./text/marks.ts";
import type { Style } from "./text/style.ts";
import { fit, wrap } from "./text/text.ts";

const NAME_COLUMNS = 10;

const MOST_NEEDS = 3;

type StatusOptions = {
  style: Style;
  width: number;
  now: number;
  /** The project that the folder lies in, if it is none itself. */
  above?: string | null;
  /** Whether the plan that the run completed has open boxes again. */
  reopened?: boolean;
  /** Of a live swarm: its state, and its workers at work. */
  swarm?: Pick<SwarmLinesInput, "state" | "workers"> | null;
};

/** `ralph status`: at most ten lines, if nothing needs a person and neither why a run ended nor the next step is folded. */
export function statusLines(report: StatusReport, options: StatusOptions): string[] {
  const { style, width, now, above = null, swarm = null, reopened = false } = options;
  if (report.run === null) {
    const hint = above === null ? START_RUN_HINT : projectAboveHint(above);
    return [`${style.bold("not started")}  ${singleLine(report.project)}`, style.dim(singleLine(hint))];
  }
  const breaker = circuit(report, style);
  const doing = doingText(report, now);
  const rows: [string, string | null][] = [
    ["run", runText(report, report.run, doing === null)],
    ["task", taskTitle(report.task)],
    ["iteration", doing === null ? null : [...iterationNumber(report), doing].join(" · ")],
    [hasPlan(report) ? "plan" : "gates", workText(report, swarm?.state.tasks_at_work ?? [], style)],
    // Each worker has its part of them, and counts its own.
    ["calls", report.started_by === "swarm" ? null : callsText(report.calls, now)],
    ["spent", spentText(report)],
    ["forecast", report.forecast === null ? null : forecastText(report.forecast)],
    // A closed breaker is no news of a run that is over.
    ["breaker", (report.sentence !== null || brokeOff(report)) && breaker === "CLOSED" ? null : breaker],
    ["stop", report.nearest_stops.length === 0 ? null : stopText(report)],
    [
      "updated",
      report.updated_at === null ? null : `${duration(Math.max(0, now - Date.parse(report.updated_at)))} ago`,
    ],
  ];
  const next = isStopReason(report.stop_reason)
    ? nextStep({ ...report, reason: report.stop_reason, reopened, answered: !isAside(report) }, now).text
    : brokeOff(report)
      ? `Go on with: ${continueCommand(report)}`
      : "";
  const folded = (name: string, text: string) =>
    (text === "" ? [] : wrap(singleLine(text), width - NAME_COLUMNS)).map(
      (line, index) => `${style.dim((index === 0 ? name : "").padEnd(NAME_COLUMNS))}${line}`,
    );
  const head = `${statusWord(report, style)}  ${singleLine(report.project)}`;
  return [
    head,
    ...folded("why", whyText(report)),
    ...rows
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${style.dim(name.padEnd(NAME_COLUMNS))}${fit(value ?? "", width - NAME_COLUMNS)}`),
    ...(swarm === null ? [] : workerLines({ ...swarm, style, width, now })),
    // A command that is cut off is useless.
    ...folded("next", next),
    ...needLines(besideNextStep(report.needs, report.stop_reason), { style, width, most: MOST_NEEDS }),
  ];
}

/** The end in a sentence, and that nothing but the agent's word says it, where that is so (product.md "Proven or not"). */
function whyText(report: StatusReport): string {
  if (brokeOff(report)) return "The process ended unexpectedly.";
  const { sentence, proof, started_by } = report;
  return `${sentence ?? ""}${proof === "word" && started_by !== "demo" ? ` Unproven: ${PROOF.word}.` : ""}`.trim();
}

/** Its process is gone without a recorded end; an original's last words are one. */
const brokeOff = ({ status, stop_reason }: StatusReport) => status === "unknown" && stop_reason === null;

function statusWord(report: StatusReport, style: Style): string {
  if (brokeOff(report)) return `${endPaint("bad", style)(END_MARKS.bad)} ${style.bold(BROKE_OFF)}`;
  if (isStopReason(report.stop_reason))
    return endName(report.stop_reason, STOP_REASONS[report.stop_reason].exit, style);
  const paint = {
    completed: style.green,
    running: style.cyan,
    blocked: style.yellow,
    unknown: style.red,
    not_started: style.dim,
  }[report.status];
  const detail = report.stop_reason ?? report.phase;
  return `${style.bold(paint(report.status))}${detail === null ? "" : ` (${detail})`}`;
}

/** How long, not when: the first local time of a process costs 3 ms, a quarter of this command (measured; the runtime loads its time zones). */
function callsText({ used, limit, resets_at }: StatusReport["calls"], now: number): string {
  const of = limit === null ? "" : ` of ${limit}`;
  // A clock that was set back since does not extend the hour.
  const left = resets_at === null ? null : Math.min(Date.parse(resets_at) - now, HOUR_MS);
  return `${used}${of} this hour${left === null ? "" : `, resets in ${duration(left)}`}`;
}

/** @param idle whether its iteration has no line of its own, for nothing is done in it */
function runText({ pid, display_name, ...report }: StatusReport, run: string, idle: boolean): string {
  const process = pid === null ? run : `${run} (pid ${pid})`;
  const agent = display_name === null ? [] : [singleLine(display_name)];
  return [process, ...agent, ...(idle ? iterationNumber(report).map((number) => `iteration ${number}`) : [])].join(
    " · ",
  );
}

const isAside = ({ needs }: Pick<StatusReport, "needs">) => needs.some(({ parked }) => parked);

/** The first one has none before it begins. */
const iterationNumber = ({ iteration }: Pick<StatusReport, "iteration">) =>
  iteration === 0 ? [] : [String(iteration)];

function doingText({ last_action, phase, wait, stop_reason, started_by }: StatusReport, now: number): string | null {
  if (phase === "waiting" && wait !== null) return waitLine(wait.why, wait.until, now);
  // Nothing is known of a dead process, and the phase needs no repetition.
  // What a swarm did last is mostly over: its workers are shown.
  const isNews =
    started_by !== "swarm" && phase !== null && last_action !== phase && last_action !== `waiting_${phase}`;
  return stop_reason === null && isNews ? last_action : null;
}

/** An old project's last words may be unknown to ralph. */
function isStopReason(reason: string | null): reason is StopReason {
  return reason !== null && Object.hasOwn(STOP_REASONS, reason);
}

function stopText({ nearest_stops, started_at }: StatusReport): string {
  return nearest_stops.map((stop) => headroomText(stop, started_at ?? "")).join(" · ");
}

const hasPlan = ({ plan }: StatusReport) => plan !== null && plan.total > 0;

/** How far the work is: its plan, and the gates that are red. */
function workText(report: StatusReport, atWork: readonly TaskAtWork[], style: Style): string | null {
  const red = report.red_gates.map((command) => `${gateMark({ ok: false }, style)} ${singleLine(command)}`);
  if (report.plan === null || !hasPlan(report)) return red.join(" · ") || null;
  const parked = report.needs.filter((need) => need.parked).map(({ task }) => task);
  const aside = new Set([...parked, ...atWork.map(({ text }) => text)]);
  const next = report.plan.next.find((task) => !aside.has(task.text));
  const done = `${report.plan.checked} of ${report.plan.total} done`;
  return [done, ...red, ...(next === undefined ? [] : [`next: ${singleLine(next.text)}`])].join(" · ");
}

function spentText(report: StatusReport): string | null {
  const { input, output, cache_write, cache_read } = report.tokens_by_class;
  const classes = tokenClasses({
    input_tokens: input,
    output_tokens: output,
    cache_creation_tokens: cache_write,
    cache_read_tokens: cache_read,
  });
  const money = cost(report);
  const parts = [money, report.tokens === 0 ? null : `${tokenCount(report.tokens)}: ${classes}`];
  return parts.filter((part) => part !== null).join(" · ") || null;
}

/** `iteration 3 was denied Bash(rm x), Write`. */
export function deniedText({ iteration, commands }: Denied): string {
  const names = commands.length === 0 ? "a tool" : singleLine(shownDenials(commands).join(", "));
  return `iteration ${iteration} was denied ${names}`;
}

function circuit(report: StatusReport, style: Style): string {
  const { state, reason, consecutive_no_progress: idle } = report.circuit;
  // The reason for opening already includes the iterations without a change.
  const why =
    typeof reason === "string" && reason !== ""
      ? singleLine(reason)
      : typeof idle === "number" && idle > 0
        ? idleIterations(idle)
        : "";
  const denied = report.denied === null ? "" : deniedText(report.denied);
  const text = [String(state), why, denied].filter((part) => part !== "").join(" · ");
  return state === "OPEN" ? style.red(text) : text;
}
