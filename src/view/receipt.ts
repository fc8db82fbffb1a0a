import { unprovenText } from "../core/gates/unchecked-text.ts";
import type { EventOf } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { totalTokens } from "../core/journal/usage.ts";
import { needsOf } from "../core/needs/needs.ts";
import { STOP_REASONS } from "../core/stop/stop-reasons.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import type { LineOptions } from "./live/event-lines.ts";
import { besideNextStep, needLines } from "./needs.ts";
import { nextStep, runEnd } from "./next-step.ts";
import { cost, duration, shortId, tokenCount } from "./text/figures.ts";
import { endName, gateMark } from "./text/marks.ts";
import { fit, wrap } from "./text/text.ts";

/** The end of a run: why it ended, its figures, its results, and the next command. */
export function receipt(event: EventOf<"run_finished">, state: State, options: LineOptions): string[] {
  const { style, width, shorten } = options;
  const wall = Date.parse(event.at) - Date.parse(state.started_at);
  const hasNoIterations = state.started_by === "import" || state.started_by === "land";
  const figures = [
    hasNoIterations ? null : event.iterations === 0 ? "no iteration" : count(event.iterations, "iteration"),
    event.calls === 0 ? null : count(event.calls, "call"),
    duration(Number.isFinite(wall) ? wall : 0),
    totalTokens(event.usage) > 0 ? tokenCount(totalTokens(event.usage)) : null,
    cost(event.usage),
    state.plan === null || state.plan.total === 0 ? null : `plan ${state.plan.checked}/${state.plan.total}`,
  ].filter((part) => part !== null);
  const sentence = wrap(shorten(singleLine(event.sentence)), width - 2);
  return [
    "",
    ...wrap(`${endName(event.stop_reason, event.exit_code, style)} ${style.dim(`(exit ${event.exit_code})`)}`, width),
    ...sentence.map((line) => `  ${line}`),
    ...(event.proof === "word" && state.started_by !== "demo"
      ? wrap(`  ${singleLine(unprovenText(state.gate_trust.check, state.gates))}`, width).map(style.yellow)
      : []),
    ...wrap(`  ${figures.join(" · ")}`, width).map(style.dim),
    ...evidence(state, options),
    ...needs(state, options),
    ...(isSelfExplanatory(event, state)
      ? []
      : wrap(`  ${nextStep(runEnd(event.stop_reason, state), Date.parse(event.at)).text}`, width)),
  ];
}

const MOST_NEEDS = 5;

/** A demo's project is gone with it: nobody can answer there. */
function needs(state: State, options: LineOptions): string[] {
  if (state.started_by === "demo") return [];
  const all = besideNextStep(needsOf(state, { alive: false }), state.finished?.reason ?? null);
  return needLines(all, { ...options, width: options.width - 2, most: MOST_NEEDS }).map((line) => `  ${line}`);
}

/**
 * A failed import, and a breaker that was open at the start, state the next step themselves; a demo leaves nothing
 * behind.
 */
function isSelfExplanatory({ stop_reason, iterations }: EventOf<"run_finished">, { started_by }: State): boolean {
  if (started_by === "import") return stop_reason !== "import_complete";
  return started_by === "demo" || (iterations === 0 && STOP_REASONS[stop_reason].action === "circuit_breaker_open");
}

/** The results of the last iteration, as far as they are known. */
function evidence({ last, gates }: State, { style, width }: LineOptions): string[] {
  const facts = [
    last?.evidence.head == null ? null : `HEAD ${shortId(last.evidence.head)}`,
    ...gates.map((gate) => `${gateMark(gate, style)} ${singleLine(gate.command)}`),
    last?.analysis.tests_status == null ? null : `tests ${last.analysis.tests_status} (the agent says)`,
  ].filter((fact) => fact !== null);
  return facts.length === 0 ? [] : [style.dim(fit(`  ${facts.join(" · ")}`, width))];
}
