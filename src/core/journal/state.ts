import type { Analysis } from "../answer/analysis-types.ts";
import { noRejectedClaims, type RejectedClaims } from "../decide/completion.ts";
import { type CompletionSignals, noSignals } from "../decide/completion-signals.ts";
import type { GateRecord } from "../decide/gate-rules.ts";
import { type Proof, proofOf } from "../decide/proof.ts";
import { noReview, type ReviewState } from "../decide/review-state.ts";
import { noSession, type SessionState, type SessionTransition } from "../decide/session.ts";
import { carriedTrust, type GateTrust, untestedGates } from "../gates/gate-trust.ts";
import { carriedLand, type LandState, noLand } from "../land/land-state.ts";
import { type LookState, noLooks } from "../look/look-state.ts";
import type { Forecast, TaskPace } from "../money/forecast.ts";
import type { DaySpending } from "../money/spending.ts";
import { type Inbox, noQuestions } from "../needs/questions.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";
import { requeueMessages, type UserMessage } from "../prompt/user-messages.ts";
import { carriedPublishing, noPublishing, type PublishState } from "../publish/git-step.ts";
import type { BreakerTransition } from "../stop/breaker-history.ts";
import { type BudgetState, emptyBudget } from "../stop/budget.ts";
import { type CircuitBreaker, closedBreaker } from "../stop/circuit-breaker.ts";
import { type FailureStreak, noFailures } from "../stop/failure-backoff.ts";
import { type Headway, noHeadway } from "../stop/headway.ts";
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
import { noUsage, type Spending } from "./usage.ts";

/** A claimed task and who has it; `since` is an ISO time. */
export type TaskAtWork = { task: string; text: string; worker: string; branch: string; since: string };

/** What became of the newest checkpoint. */
export type CheckpointState = {
  name: string;
  left_out: number /** Why it could not be made; null if it was. */;
  fault: string | null;
};

/** The iteration under way, which may need several calls. */
export type OpenIteration = {
  number: number;
  call: number;
  started_at: string;
  /** Usage of all calls of this iteration so far. */
  usage: Spending;
};

/**
 * The agent's call under way, from the event that reserves it. It ends with its iteration, review or look; for any
 * other purpose, with the agent.
 */
export type OpenCall = {
  purpose: CallPurpose;
  /** The driver of a look's agent; absent for the run's own. */
  driver?: string;
  call: number;
  /** Number of the iteration that it belongs to or follows; 0 outside one. */
  iteration: number;
  /** Null until the agent has started and once it has ended. */
  agent: ProcessIdentity | null;
  /** What the run had spent when the agent started; absent before. */
  spent_before?: Spending;
  /** As of `agent_started`. */
  usage_from?: number;
  /** The agent called a tool: the model answered, though some agents tell its tokens at a good end only. */
  used_tools?: true;
};

/** A run that broke off, as far as the bounds of the one that goes on with it count it. */
export type BrokenOff = Pick<State, "started_by" | "task" | "task_usage" | "task_ms" | "more_iterations"> & {
  /** The bounds that it had. */
  bounds: { MAX_ITERATIONS: unknown; MAX_COST_USD: unknown; MAX_TOKENS: unknown };
  /** What it spent, with what it had taken over. */
  iterations: number;
  usage: Spending;
};

/** A finished iteration. */
export type IterationRecord = {
  number: number;
  at: string;
  outcome: IterationOutcome;
  analysis: Analysis;
  evidence: Evidence;
  verdict: Verdict;
  usage: Spending;
  ms: number;
};

/** A summary of a recent iteration, for trends. */
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
  /** What a person calls the agent: the driver's display name. */
  display_name: string;
  /** What started the run: `cli`, `task`, `demo`, `reset` or `import`. */
  started_by: string;
  /** The text of `ralph "TEXT"`; null for the project's prompt and plan. */
  task: string | null;
  /** The words of `ralph run` that make a later run like this one (run-words.ts). */
  words: readonly string[];
  pid: number | null;
  started_at: string;
  updated_at: string;
  /** Effective settings of the run by public name. */
  settings: Record<string, unknown>;
  /** Number of this run's newest iteration; 0 before the first. */
  iteration: number;
  /** Iterations and calls, as the bounds count them. */
  iterations: number;
  calls: number;
  open: OpenIteration | null;
  call: OpenCall | null;
  budget: BudgetState;
  usage: Spending;
  /** What this run spent before it broke off and a new process took it up: the bounds count it too. */
  earlier: { iterations: number; usage: Spending };
  /** Runs before this one that broke off, and that none has gone on with: this one is of another kind, or for another task. */
  broken_off: BrokenOff[];
  /** What was spent since the last box was ticked, or since the start: on the task at hand. */
  task_usage: Spending;
  /** Time of its iterations, and of all of this run, without waits, in ms. */
  task_ms: number;
  work_ms: number;
  /** What finished tasks of this project took, the newest last. */
  paces: TaskPace[];
  /** The newest checkpoint of this run; null before one. */
  checkpoint: CheckpointState | null;
  /** The tasks that this run has claimed, of those that several workers share; a swarm's run has those of all its workers. */
  tasks_at_work: TaskAtWork[];
  /** What workers had that a swarm before this run left at work, by a kill mostly: no swarm has counted what they spent on it. */
  left_at_work: TaskAtWork[];
  /** What became of branches that were landed. */
  land: LandState;
  /** What became of the git steps. */
  publish: PublishState;
  /** The forecast that this run is measured against; null before one is possible. */
  forecast: Forecast | null;
  /** What this user's runs spent on a day, as far as the run asked; null before that. */
  day_spent: DaySpending | null;
  breaker: CircuitBreaker;
  /** The most recent changes of the breaker's state, oldest first. */
  breaker_history: BreakerTransition[];
  session: SessionState;
  session_history: SessionTransition[];
  signals: CompletionSignals;
  /** Claims of done that were rejected. */
  held: RejectedClaims;
  /** Gates that ran after the newest answer, or before the first one. */
  gates: GateRecord[];
  /** Whether the gates are still what they were. */
  gate_trust: GateTrust;
  /** The gate under way. */
  gate: { command: string; process: ProcessIdentity } | null;
  review: ReviewState;
  looks: LookState;
  /** Fingerprints of earlier trees, to detect work in circles (tree-history.ts). */
  trees: string[];
  /** The last ten iterations, oldest first. */
  trend: TrendRow[];
  last: IterationRecord | null;
  plan: PlanCounts | null;
  /** Required tasks that left the plan without a tick, as far as this work knows: without them it is not complete. */
  taken_off: string[];
  /** The branch that the run began on, or the one that broke off and that it goes on with; null for none, or before it is known. */
  home: string | null;
  /** The last call of the run before, for the same work, was ended in the middle, and no iteration came to its end since: what it had done is in the files. */
  cut_off: boolean;
  failures: FailureStreak;
  limit: LimitState | null;
  /** What this run got done beside what merely changed. */
  headway: Headway;
  /** Consecutive answers that claimed to be blocked and made no progress. */
  blocked: number;
  wait: { until: string; why: WaitReason; message: string } | null;
  stop_requested: { how: StopHow; by: StopBy } | null;
  /** The user paused the run: no call starts until they resume it. */
  paused: boolean;
  /** Iterations that the user added to MAX_ITERATIONS. */
  more_iterations: number;
  /** User messages that no finished iteration has received yet, oldest first. */
  said: UserMessage[];
  /** What waits for a person's answer, of this run and earlier ones. */
  inbox: Inbox;
  /** Tool calls of the current call that have no result yet. */
  tools: OpenTool[];
  finished: { reason: StopReason; exit_code: number; sentence: string; at: string; proof?: Proof | null } | null;
  /** Time of the newest event of a run that broke off, once a later start found that (run-over.ts); null before, and of every other run. */
  broke_off_at: string | null;
  last_action: string;
  last_output: string;
  /** The end of the newest call, for metrics and the next prompt. */
  last_call: {
    outcome: AgentOutcome;
    exit_code: number | null;
    ok: boolean;
    error: AgentError | null;
    ms: number;
  } | null;
  /** Number of events of each type that this version does not know. */
  unknown: Record<string, number>;
};

/** The state of a project before its first run. */
export function initialState(project: string): State {
  return {
    run: "",
    seq: 0,
    project,
    version: "",
    driver: "",
    display_name: "",
    started_by: "",
    task: null,
    words: [],
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
    earlier: { iterations: 0, usage: noUsage() },
    broken_off: [],
    task_usage: noUsage(),
    task_ms: 0,
    work_ms: 0,
    paces: [],
    checkpoint: null,
    tasks_at_work: [],
    left_at_work: [],
    land: noLand(),
    publish: noPublishing(),
    forecast: null,
    day_spent: null,
    breaker: closedBreaker(),
    breaker_history: [],
    session: noSession(null, null),
    session_history: [],
    signals: noSignals(),
    held: noRejectedClaims(),
    gates: [],
    gate_trust: untestedGates(),
    gate: null,
    review: noReview(),
    looks: noLooks(),
    trees: [],
    trend: [],
    last: null,
    plan: null,
    taken_off: [],
    home: null,
    cut_off: false,
    failures: noFailures(),
    headway: noHeadway(),
    limit: null,
    blocked: 0,
    wait: null,
    stop_requested: null,
    paused: false,
    more_iterations: 0,
    said: [],
    inbox: noQuestions(),
    tools: [],
    finished: null,
    broke_off_at: null,
    last_action: "",
    last_output: "",
    last_call: null,
    unknown: {},
  };
}

/**
 * The part of an earlier run's state that a new run starts with: budget, breaker, session, their histories and
 * pending messages, open questions, and what tasks took. Everything else starts at zero (product.md "Done" and "Bounds").
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
    inbox: previous.inbox,
    paces: previous.paces,
    left_at_work: leftAtWork(previous),
    land: carriedLand(previous.land),
    publish: carriedPublishing(previous.publish),
    gate_trust: carriedTrust(previous.gate_trust, isDone(previous)),
  };
}

/** Any run passes it on: the next swarm may not be the next run. */
function leftAtWork({ started_by, tasks_at_work, left_at_work }: State): TaskAtWork[] {
  return started_by === "swarm" ? [...left_at_work, ...tasks_at_work] : left_at_work;
}

/** Whether the run of a state ended as done. */
export function isDone({ finished, gates }: State): boolean {
  return finished !== null && proofOf(finished.reason, gates, false) !== null;
}
