import type { Usage } from "../driver.ts";
import type { Analysis } from "./analysis-types.ts";
import { type BreakerState, closedBreaker } from "./breaker.ts";
import { type BreakerTransition, withTransition } from "./breaker-history.ts";
import { type BudgetState, charge, emptyBudget, refund } from "./budget.ts";
import {
  countHeldClaims,
  countSignals,
  type GateResult,
  type HeldClaims,
  noHeldClaims,
  noSignals,
  type Signals,
} from "./completion.ts";
import type {
  AgentError,
  AgentOutcome,
  Evidence,
  IterationOutcome,
  RalphEvent,
  StopBy,
  StopHow,
  Verdict,
  WaitReason,
} from "./event.ts";
import { afterFailure, type Failures, noFailures } from "./failure.ts";
import type { PlanCounts } from "./plan.ts";
import { noSession, resetSession, type SessionState, type SessionTransition, touchSession } from "./session.ts";
import type { StopReason } from "./stop.ts";
import { addUsage, noUsage } from "./usage.ts";
import { type LimitState, limitReached } from "./usage-limit.ts";

/** The iteration that is under way: between its start and its end it may need more than one call. */
export type OpenIteration = {
  number: number;
  call: number;
  started_at: string;
  /** Work of the calls that came before this one in the same iteration. */
  usage: Usage;
  agent: { pid: number; group: number; start_time: string | null; marker: string } | null;
};

/** What is kept of a finished iteration. */
export type IterationRecord = {
  number: number;
  at: string;
  outcome: IterationOutcome;
  analysis: Analysis;
  evidence: Evidence;
  verdict: Verdict;
  usage: Usage;
  ms: number;
};

/** A short row of one of the last iterations, for trends. */
export type TrendRow = {
  number: number;
  output_length: number;
  progress: boolean;
  test_only: boolean;
  /** Fingerprint of the error lines; null for none. */
  errors: string | null;
  tree: string | null;
};

export type State = {
  run: string;
  seq: number;
  project: string;
  version: string;
  driver: string;
  pid: number | null;
  started_at: string;
  updated_at: string;
  /** Effective settings of the run by public name. */
  settings: Record<string, unknown>;
  /** Number of the newest iteration of this run; 0 before the first. */
  iteration: number;
  /** Iterations and calls that count against a bound. */
  iterations: number;
  calls: number;
  open: OpenIteration | null;
  budget: BudgetState;
  usage: Usage;
  breaker: BreakerState;
  /** The last changes of the breaker's state, oldest first. */
  breaker_history: BreakerTransition[];
  session: SessionState;
  session_history: SessionTransition[];
  signals: Signals;
  /** Claims of done that were held back. */
  held: HeldClaims;
  /** Gates that ran in the newest iteration, or before the first. */
  gates: GateResult[];
  /** The last ten iterations, oldest first. */
  trend: TrendRow[];
  last: IterationRecord | null;
  plan: PlanCounts | null;
  failures: Failures;
  limit: LimitState | null;
  /** Answers in a row that claimed to be blocked without making progress. */
  blocked: number;
  wait: { until: string; why: WaitReason; message: string } | null;
  stop_requested: { how: StopHow; by: StopBy } | null;
  finished: { reason: StopReason; exit_code: number; sentence: string; at: string } | null;
  last_action: string;
  last_output: string;
  /** The newest call's end, for metrics and for the prompt of the next one. */
  last_call: {
    outcome: AgentOutcome;
    exit_code: number | null;
    ok: boolean;
    error: AgentError | null;
    ms: number;
  } | null;
  /** Event types that this version does not know, with their number. */
  unknown: Record<string, number>;
};

const TREND_ROWS = 10;
const LAST_OUTPUT_CHARS = 80;

/** The state before any run of a project. */
export function initialState(project: string): State {
  return {
    run: "",
    seq: 0,
    project,
    version: "",
    driver: "",
    pid: null,
    started_at: "",
    updated_at: "",
    settings: {},
    iteration: 0,
    iterations: 0,
    calls: 0,
    open: null,
    budget: emptyBudget(),
    usage: noUsage(),
    breaker: closedBreaker(),
    breaker_history: [],
    session: noSession(null, null),
    session_history: [],
    signals: noSignals(),
    held: noHeldClaims(),
    gates: [],
    trend: [],
    last: null,
    plan: null,
    failures: noFailures(),
    limit: null,
    blocked: 0,
    wait: null,
    stop_requested: null,
    finished: null,
    last_action: "",
    last_output: "",
    last_call: null,
    unknown: {},
  };
}

/**
 * What of an earlier run's state a new run begins with: breaker, budget, session and its history go on, everything
 * that belongs to one run starts anew (product.md: counters "begin at zero in each run", bounds are per run).
 */
export function carryOver(previous: State): State {
  return {
    ...initialState(previous.project),
    budget: previous.budget,
    breaker: previous.breaker,
    breaker_history: previous.breaker_history,
    session: previous.session,
    session_history: previous.session_history,
  };
}

/** The fold. Total: it never throws, and what it does not know it counts. */
export function reduce(state: State, event: RalphEvent): State {
  const next = apply(state, event);
  // A run begins with the snapshot's breaker: that is no change of it.
  const from = event.type === "run_started" ? next.breaker : state.breaker;
  const breaker_history = withTransition(next.breaker_history, from, next.breaker, event.at, event.iteration);
  return { ...next, breaker_history, seq: event.seq, updated_at: event.at };
}

function apply(state: State, event: RalphEvent): State {
  const at = Date.parse(event.at);
  switch (event.type) {
    case "run_started":
      return {
        ...initialState(event.project),
        ...event.state,
        run: event.run,
        project: event.project,
        version: event.version,
        driver: event.driver,
        pid: event.pid,
        started_at: event.at,
        settings: event.settings,
        last_action: "started",
      };
    case "iteration_started":
      return {
        ...state,
        iteration: event.number,
        calls: state.calls + 1,
        budget: charge(state.budget, at, { calls: 1, tokens: 0 }),
        plan: event.plan,
        gates: event.call === 1 ? [] : state.gates,
        limit: state.limit === null ? null : { ...state.limit, until: null },
        open: {
          number: event.number,
          call: event.call,
          started_at: state.open?.number === event.number ? state.open.started_at : event.at,
          usage: state.open?.number === event.number ? state.open.usage : noUsage(),
          agent: null,
        },
        last_action: "executing",
      };
    case "agent_started":
      if (state.open === null) return state;
      return {
        ...state,
        open: {
          ...state.open,
          agent: { pid: event.pid, group: event.group, start_time: event.start_time, marker: event.marker },
        },
      };
    case "agent_text":
      return { ...state, last_output: tailOf(event.text) };
    case "agent_tool_started":
      return { ...state, last_output: event.tool === "Other" ? event.name : event.tool };
    case "agent_usage": {
      const tokens = (event.input_tokens ?? 0) + (event.output_tokens ?? 0);
      return {
        ...state,
        usage: addUsage(state.usage, event),
        budget: charge(state.budget, at, { calls: 0, tokens }),
        open: state.open === null ? null : { ...state.open, usage: addUsage(state.open.usage, event) },
      };
    }
    case "agent_session":
      return { ...state, session: touchSession(state.session, event.session_id, state.driver, event.at) };
    case "agent_limit":
      return { ...state, limit: limitReached(state.limit, event, at, `${event.run}/${event.seq}`) };
    case "agent_finished":
      return afterCall(state, event);
    case "iteration_finished":
      return afterIteration(state, event);
    case "iteration_interrupted":
      return { ...state, open: null, iterations: state.iterations + 1, last_action: "interrupted" };
    case "stop_requested":
      return { ...state, stop_requested: { how: event.how, by: event.by }, last_action: "stopping" };
    case "stop_withdrawn":
      return { ...state, stop_requested: null };
    case "wait_started":
      return {
        ...state,
        wait: { until: event.until, why: event.why, message: event.message },
        last_action: waitAction(event.why),
      };
    case "wait_ended":
      return { ...state, wait: null };
    case "reset":
      return {
        ...state,
        ...(event.what === "session" ? {} : { breaker: closedBreaker() }),
        ...(event.what === "circuit"
          ? {}
          : {
              ...resetSession(state.session_history, event.at, event.reason, state.iteration),
              signals: noSignals(),
              held: noHeldClaims(),
            }),
      };
    case "run_finished":
      return {
        ...state,
        open: null,
        wait: null,
        finished: { reason: event.stop_reason, exit_code: event.exit_code, sentence: event.sentence, at: event.at },
      };
    case "gate_finished": {
      const gate = { command: event.command, ok: event.exit_code === 0 && !event.timed_out };
      return { ...state, gates: [...state.gates, gate] };
    }
    case "agent_tool_finished":
    case "agent_retry":
    case "run_recovered":
    case "note":
      return state;
    default:
      return countUnknown(state, event);
  }
}

/** A newer version of ralph may have written types that this one does not know. */
function countUnknown(state: State, event: never): State {
  const type = String((event as { type?: unknown }).type);
  return { ...state, unknown: { ...state.unknown, [type]: (state.unknown[type] ?? 0) + 1 } };
}

function afterCall(state: State, event: Extract<RalphEvent, { type: "agent_finished" }>): State {
  const { outcome, exit_code, ok, error, ms } = event;
  const ended = {
    ...state,
    last_call: { outcome, exit_code, ok, error, ms },
    failures: afterFailure(state.failures, { ok, error, at: Date.parse(event.at), limited: event.repeat === "limit" }),
    limit: event.repeat === "limit" || (!ok && error?.class === "limit") ? state.limit : null,
    open: state.open === null ? null : { ...state.open, agent: null },
  };
  if (event.repeat !== "limit") return ended;
  // A limited call counts against no bound (product.md 4).
  return { ...ended, calls: state.calls - 1, budget: refund(state.budget), last_action: "api_limit" };
}

function afterIteration(state: State, event: Extract<RalphEvent, { type: "iteration_finished" }>): State {
  const { analysis, evidence, outcome, verdict, usage, ms } = event;
  const number = event.iteration;
  const answered = outcome !== "failed";
  const facts = { plan: evidence.plan, gates: state.gates, redTests: analysis.tests_status === "FAILING" };
  const row: TrendRow = {
    number,
    output_length: analysis.output_length,
    progress: evidence.progress,
    test_only: analysis.is_test_only,
    errors: event.breaker.fingerprint,
    tree: evidence.fingerprint,
  };
  return {
    ...state,
    open: null,
    iterations: state.iterations + 1,
    breaker: event.breaker,
    signals: answered ? countSignals(state.signals, number, analysis) : state.signals,
    held: answered ? countHeldClaims(state.held, analysis, facts) : state.held,
    trend: answered ? [...state.trend, row].slice(-TREND_ROWS) : state.trend,
    last: { number, at: event.at, outcome, analysis, evidence, verdict, usage, ms },
    plan: evidence.plan,
    blocked: analysis.status === "BLOCKED" && !evidence.progress ? state.blocked + 1 : 0,
    last_action: analysis.has_permission_denials ? "permission_denied" : answered ? "completed" : "failed",
  };
}

function waitAction(why: WaitReason): string {
  return why === "usage_limit" || why === "rate_limit"
    ? "api_limit"
    : why === "failure" || why === "offline"
      ? "failed"
      : `waiting_${why}`;
}

function tailOf(text: string): string {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return [...line].slice(0, LAST_OUTPUT_CHARS).join("");
}
