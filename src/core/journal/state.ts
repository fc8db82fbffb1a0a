import type { Usage } from "../../driver.ts";
import type { Analysis } from "../answer/analysis-types.ts";
import { type CompletionSignals, noRejectedClaims, noSignals, type RejectedClaims } from "../decide/completion.ts";
import type { GateRecord } from "../decide/gate-rules.ts";
import { noReview, type ReviewState } from "../decide/review-state.ts";
import { noSession, type SessionState, type SessionTransition } from "../decide/session.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";
import { requeueMessages, type UserMessage } from "../prompt/user-messages.ts";
import type { BreakerTransition } from "../stop/breaker-history.ts";
import { type BudgetState, emptyBudget } from "../stop/budget.ts";
import { type CircuitBreaker, closedBreaker } from "../stop/circuit-breaker.ts";
import { type FailureStreak, noFailures } from "../stop/failure-backoff.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { LimitState } from "../stop/usage-limit.ts";
import type {
  AgentError,
  AgentOutcome,
  CallPurpose,
  Evidence,
  IterationOutcome,
  StopBy,
  StopHow,
  Verdict,
  WaitReason,
} from "./event.ts";
import type { OpenTool } from "./open-tools.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { noUsage } from "./usage.ts";

/** The iteration that is under way: between its start and its end it may need more than one call. */
export type OpenIteration = {
  number: number;
  call: number;
  started_at: string;
  /** Usage of all calls of this iteration so far. */
  usage: Usage;
};

/**
 * The agent's call under way, from the event that reserves it until what it was made for has ended: the iteration, the
 * review, or for any other purpose the call itself.
 */
export type OpenCall = {
  purpose: CallPurpose;
  call: number;
  /** Number of the iteration that it belongs to or follows; 0 outside one. */
  iteration: number;
  /** Null before the agent has started and after it has ended. */
  agent: ProcessIdentity | null;
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
  /** What began the run: `cli`, `demo`, `reset` or `import`. */
  started_by: string;
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
  call: OpenCall | null;
  budget: BudgetState;
  usage: Usage;
  breaker: CircuitBreaker;
  /** The last changes of the breaker's state, oldest first. */
  breaker_history: BreakerTransition[];
  session: SessionState;
  session_history: SessionTransition[];
  signals: CompletionSignals;
  /** Claims of done that were held back. */
  held: RejectedClaims;
  /** Gates that ran after the newest answer, or before the first. */
  gates: GateRecord[];
  /** The gate under way. */
  gate: { command: string; process: ProcessIdentity } | null;
  review: ReviewState;
  /** What the tree was like, to see it go in circles (tree-history.ts). */
  trees: string[];
  /** The last ten iterations, oldest first. */
  trend: TrendRow[];
  last: IterationRecord | null;
  plan: PlanCounts | null;
  failures: FailureStreak;
  limit: LimitState | null;
  /** Answers in a row that claimed to be blocked without making progress. */
  blocked: number;
  wait: { until: string; why: WaitReason; message: string } | null;
  stop_requested: { how: StopHow; by: StopBy } | null;
  /** The user wants no further call until they say so. */
  paused: boolean;
  /** Iterations that the user added to MAX_ITERATIONS. */
  more_iterations: number;
  /** What the user said to the agent and no finished iteration has heard yet, oldest first. */
  said: UserMessage[];
  /** Tools of the call under way that have no result yet. */
  tools: OpenTool[];
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

/** The state before any run of a project. */
export function initialState(project: string): State {
  return {
    run: "",
    seq: 0,
    project,
    version: "",
    driver: "",
    started_by: "",
    pid: null,
    started_at: "",
    updated_at: "",
    settings: {},
    iteration: 0,
    iterations: 0,
    calls: 0,
    open: null,
    call: null,
    budget: emptyBudget(),
    usage: noUsage(),
    breaker: closedBreaker(),
    breaker_history: [],
    session: noSession(null, null),
    session_history: [],
    signals: noSignals(),
    held: noRejectedClaims(),
    gates: [],
    gate: null,
    review: noReview(),
    trees: [],
    trend: [],
    last: null,
    plan: null,
    failures: noFailures(),
    limit: null,
    blocked: 0,
    wait: null,
    stop_requested: null,
    paused: false,
    more_iterations: 0,
    said: [],
    tools: [],
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
    said: requeueMessages(previous.said),
  };
}
