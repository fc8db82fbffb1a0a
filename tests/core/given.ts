import type { Analysis } from "../../src/core/answer/analysis-types.ts";
import type { EventBody, Evidence, RalphEvent } from "../../src/core/journal/event.ts";
import { reduce } from "../../src/core/journal/reduce.ts";
import { type IterationRecord, initialState, type State } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { defaultSettings, type Settings } from "../../src/core/settings/settings.ts";

/** Noon of a working day, local time: far from any change of clocks. */
export const NOON = new Date(2026, 2, 4, 12, 0, 0).getTime();
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

/** An answer without claims, except for the given fields. */
export function analysisOf(about: Partial<Analysis> = {}): Analysis {
  return {
    has_completion_signal: false,
    exit_signal: false,
    exit_signal_explicit: false,
    is_completion_indicator: false,
    status: null,
    tasks_completed: null,
    tests_status: null,
    work_type: null,
    recommendation: null,
    is_test_only: false,
    is_stuck: false,
    files_modified: 0,
    confidence_score: 0,
    work_summary: "",
    output_length: 1000,
    has_permission_denials: false,
    permission_denial_count: 0,
    denied_commands: [],
    has_compound_command_limitation: false,
    compound_command_count: 0,
    asking_questions: false,
    question_count: 0,
    errors: [],
    error_count: 0,
    same_error_count: 0,
    is_error: false,
    usage_limit: null,
    ...about,
  };
}

export function evidenceOf(about: Partial<Evidence> = {}): Evidence {
  return {
    progress: true,
    commits: [],
    files_changed: [],
    files_changed_count: 0,
    plan_delta: 0,
    plan: null,
    head: null,
    fingerprint: null,
    ...about,
  };
}

/** A finished iteration in the form of the state. */
export function recordOf(analysis: Partial<Analysis> = {}, about: Partial<IterationRecord> = {}): IterationRecord {
  return {
    number: 1,
    at: new Date(NOON).toISOString(),
    outcome: "answered",
    analysis: analysisOf(analysis),
    evidence: evidenceOf(),
    verdict: { rule: "progress", sentence: "" },
    usage: noUsage(),
    ms: 0,
    ...about,
  };
}

export function settingsOf(about: Partial<Settings> = {}): Settings {
  return { ...defaultSettings(), ...about };
}

/** A run that began at noon. */
export function stateOf(about: Partial<State> = {}): State {
  return { ...initialState("/project"), run: "r", driver: "demo", started_at: new Date(NOON).toISOString(), ...about };
}

/** The state after events, one second apart, the first at noon. */
export function fold(state: State, bodies: readonly EventBody[], at = NOON): State {
  return bodies.reduce((before, body, index) => {
    const time = new Date(at + index * 1000).toISOString();
    const event: RalphEvent = { v: 1, seq: before.seq + 1, at: time, run: "r", iteration: before.iteration, ...body };
    return reduce(before, event);
  }, state);
}

/** The start and the end of one call. */
export function callEvents(
  number: number,
  call: number,
  end: Partial<Extract<EventBody, { type: "agent_finished" }>> = {},
): EventBody[] {
  return [
    { type: "iteration_started", number, call, resume: null, plan: null, head: null, snapshot: null },
    {
      type: "agent_finished",
      call,
      outcome: "ok",
      exit_code: 0,
      signal: null,
      ms: 10,
      ok: true,
      final_text: "",
      error: null,
      unknown_events: 0,
      repeat: null,
      ...end,
    },
  ];
}

/** An event as a journal has it, by its body. */
export function recorded<B extends EventBody>(body: B): B & Pick<RalphEvent, "v" | "seq" | "at" | "run" | "iteration"> {
  return { v: 1, seq: 1, at: "2026-03-04T12:00:00.000Z", run: "r", iteration: 1, ...body };
}
