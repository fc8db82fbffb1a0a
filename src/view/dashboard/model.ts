import type { Analysis } from "../../core/answer/analysis-types.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { type EventStep, stepOf } from "../../core/journal/event-step.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { iterationName } from "../../core/report/iteration-name.ts";
import { type Activity, activityOf } from "./activity.ts";

/** A finished iteration, for the list and the trends. */
export type Row = {
  number: number;
  outcome: "answered" | "timed_out" | "failed";
  progress: boolean;
  rule: string;
  ms: number;
  tokens: number;
  cost: number | null;
  files: number;
  /** What it is called, else the sentence of its verdict. */
  name: string;
  plan_delta: number;
  /** Texts of the boxes that it ticked, as far as recorded. */
  ticked: readonly string[];
  commits: number;
  /** The first of the changed files. */
  changed: readonly string[];
  /** What it asks or waits for; null for nothing. */
  question: string | null;
};

/** The dashboard's data: a fold of the journal that keeps only as much of the past as a screen can show. */
export type Dashboard = {
  state: State;
  rows: Row[];
  /** The newest events of the output, oldest first. */
  shown: EventStep[];
  activity: Activity[];
  /** The text of the newest iteration's task; null if the journal does not tell it. */
  atHand: string | null;
};

/** The start of an iteration in the journal, and the state before it. */
export type IterationStart = { iteration: number; at: number; state: State };

const MOST_SHOWN = 600;
const MOST_ACTIVITIES = 100;
const MOST_FILES = 20;

export function emptyDashboard(project: string): Dashboard {
  return { state: initialState(project), rows: [], shown: [], activity: [], atHand: null };
}

/** The dashboard after one more event. A new run starts an empty one. */
export function applyEvent(dashboard: Dashboard, event: RalphEvent): Dashboard {
  const before = event.type === "run_started" ? emptyDashboard(event.project) : dashboard;
  const step = stepOf(before.state, event);
  const activity = activityOf(step);
  return {
    state: step.state,
    rows: event.type === "iteration_finished" ? [...before.rows, rowOf(event)] : before.rows,
    shown: isSilent(event) ? before.shown : capped(before.shown, step, MOST_SHOWN),
    activity: activity === null ? before.activity : capped(before.activity, activity, MOST_ACTIVITIES),
    atHand: event.type === "iteration_started" ? (event.task ?? null) : before.atHand,
  };
}

/** The number of the iteration that is not finished; null for none. */
export function iterationUnderWay({ state: { open }, rows }: Dashboard): number | null {
  return open === null || rows.at(-1)?.number === open.number ? null : open.number;
}

/** The numbers of all iterations to open, the one under way last. */
export function iterationNumbers(dashboard: Dashboard): number[] {
  const live = iterationUnderWay(dashboard);
  return [...dashboard.rows.map(({ number }) => number), ...(live === null ? [] : [live])];
}

/** @param at byte offset of the event in the journal */
export function iterationStart(event: RalphEvent, previous: State, at: number): IterationStart | null {
  return event.type === "iteration_started" ? { iteration: event.number, at, state: previous } : null;
}

/** The output of consecutive events, from the state before them. */
export function outputEvents(state: State, events: readonly RalphEvent[]): EventStep[] {
  let previous = state;
  return events.flatMap((event) => {
    const step = stepOf(previous, event);
    previous = step.state;
    return isSilent(event) ? [] : [step];
  });
}

/**
 * Appends; a list that reaches twice the limit is cut back to it, because shifting a full list at every append is slow.
 */
function capped<T>(list: readonly T[], item: T, most: number): T[] {
  return [...(list.length >= 2 * most ? list.slice(-most) : list), item];
}

function isSilent({ type }: RalphEvent): boolean {
  return type === "agent_usage" || type === "agent_session" || type === "agent_started" || type === "wait_ended";
}

function rowOf(event: Extract<RalphEvent, { type: "iteration_finished" }>): Row {
  return {
    number: event.iteration,
    outcome: event.outcome,
    progress: event.evidence.progress,
    rule: event.verdict.rule,
    ms: event.ms,
    tokens: totalTokens(event.usage),
    cost: event.usage.cost_usd,
    files: event.evidence.files_changed_count,
    name: iterationName(event) ?? event.verdict.sentence,
    plan_delta: event.evidence.plan_delta,
    ticked: event.evidence.plan_ticked ?? [],
    commits: event.evidence.commits.length,
    changed: event.evidence.files_changed.slice(0, MOST_FILES),
    question: questionOf(event.analysis),
  };
}

/** The agent's words for a person, if its answer asks for one. */
function questionOf({ asking_questions, status, recommendation, work_summary }: Analysis): string | null {
  const asks = asking_questions || status === "BLOCKED";
  return asks ? recommendation || work_summary || "It asks a question." : null;
}
