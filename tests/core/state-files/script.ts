import type { EventBody, RalphEvent } from "../../../src/core/journal/event.ts";
import { type EventStep, stepOf } from "../../../src/core/journal/event-step.ts";
import { initialState, type State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { buildReport } from "../../../src/core/report/build-report.ts";
import type { Report } from "../../../src/core/report/report-types.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { analysisOf, evidenceOf } from "../given.ts";

/** 31 January 2026, 09:05:00 in local time, in any zone. */
export const START = new Date(2026, 0, 31, 9, 5, 0).getTime();

export const analysis = analysisOf({
  status: "IN_PROGRESS",
  tasks_completed: 1,
  tests_status: "PASSING",
  files_modified: 2,
  output_length: 100,
});

export const evidence = evidenceOf({
  commits: ["c1"],
  files_changed: ["a.ts", "b.ts"],
  files_changed_count: 2,
  plan_delta: 1,
  head: "abc",
});

export const runStarted = (state: State = initialState("/p"), settings: Record<string, unknown> = {}): EventBody => ({
  type: "run_started",
  version: "1.0.0",
  driver: "claude-code",
  display_name: "Claude Code",
  settings: { MAX_CALLS_PER_HOUR: 100, MAX_TOKENS_PER_HOUR: 0, CLAUDE_OUTPUT_FORMAT: "json", ...settings },
  state,
  pid: 42,
  started_by: "test",
  project: "/p",
});

export const iterationStarted = (number: number, call = 1): EventBody => ({
  type: "iteration_started",
  number,
  call,
  resume: null,
  plan: null,
  head: "abc",
  snapshot: null,
});

type Finished = Extract<EventBody, { type: "iteration_finished" }>;

export const iterationFinished = (change: Partial<Finished> = {}): EventBody => ({
  type: "iteration_finished",
  outcome: "answered",
  analysis,
  evidence,
  verdict: { rule: "progress", sentence: "Two files changed." },
  breaker: closedBreaker(),
  usage: { ...noUsage(), input_tokens: 100, output_tokens: 50, cost_usd: 0.25, turns: 3, duration_ms: 900 },
  ms: 1499,
  ...change,
});

export const agentStarted = (call = 1): EventBody => ({
  type: "agent_started",
  call,
  purpose: "main",
  pid: 4711,
  group: 4711,
  start_time: "boot:1",
  marker: "r1-mark",
  argv: ["claude"],
});

export const agentFinished = (change: Partial<Extract<EventBody, { type: "agent_finished" }>> = {}): EventBody => ({
  type: "agent_finished",
  call: 1,
  outcome: "ok",
  exit_code: 0,
  signal: null,
  ms: 1000,
  ok: true,
  final_text: "done",
  error: null,
  unknown_events: 0,
  repeat: null,
  ...change,
});

type RunFinished = Extract<EventBody, { type: "run_finished" }>;

export const runFinished = (stop_reason: RunFinished["stop_reason"], change: Partial<RunFinished> = {}): EventBody => ({
  type: "run_finished",
  stop_reason,
  exit_code: 0,
  sentence: "Over.",
  iterations: 1,
  calls: 1,
  usage: noUsage(),
  cost_usd: null,
  ...change,
});

/** The events of a run, one second apart, each with the state after it. */
export function play(...bodies: EventBody[]): EventStep[] {
  const steps: EventStep[] = [];
  let state = initialState("/p");
  let iteration = 0;
  for (const [index, body] of bodies.entries()) {
    if (body.type === "iteration_started") iteration = body.number;
    const at = new Date(START + index * 1000).toISOString();
    const event = { ...body, v: 1, seq: index + 1, at, run: "r1", iteration } as RalphEvent;
    const step = stepOf(state, event);
    ({ state } = step);
    steps.push(step);
  }
  return steps;
}

/** The report of a run of these events. */
export function reportFrom(...bodies: EventBody[]): Report {
  return buildReport(play(...bodies).map(({ event }) => event));
}

/** The state after a run of these events. */
export function after(...bodies: EventBody[]): State {
  return play(...bodies).at(-1)?.state ?? initialState("/p");
}
