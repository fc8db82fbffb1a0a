import type { AgentEvent, ErrorClass, Usage } from "../../driver.ts";
import type { Analysis } from "../answer/analysis-types.ts";
import type { ReviewFindings } from "../decide/review-state.ts";
import type { SessionResetReason } from "../decide/session.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";
import type { CircuitBreaker } from "../stop/circuit-breaker.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { State } from "./state.ts";

/** Highest journal version that this program reads and the one it writes. */
export const JOURNAL_VERSION = 1;

export type Envelope = {
  v: 1;
  /** From 1, without gaps. */
  seq: number;
  /** ISO UTC with milliseconds. */
  at: string;
  run: string;
  /** 0 outside an iteration. */
  iteration: number;
};

export type AgentOutcome = "ok" | "failed" | "timed_out" | "idle" | "stopped" | "spawn_failed";

/** Whether ralph ended the call, since it took too long or nothing came of it; what it had done by then may be work. */
export function wasCutShort(outcome: AgentOutcome): boolean {
  return outcome === "timed_out" || outcome === "idle";
}

export type CallPurpose = "main" | "review" | "import" | "repair" | "test";
export type WaitReason =
  | "call_budget"
  | "token_budget"
  | "usage_limit"
  | "rate_limit"
  | "failure"
  | "offline"
  | "paused";
/** How soon a stop is wanted. */
export type StopHow = "after_iteration" | "now";
export type StopBy = "SIGINT" | "SIGTERM" | "SIGHUP" | "user";

/** What is really so after an iteration. */
export type Evidence = {
  progress: boolean;
  /** Ids of the commits that HEAD gained. */
  commits: string[];
  /** Paths below the project, sorted; at most 200 are named. */
  files_changed: string[];
  files_changed_count: number;
  /** Boxes ticked (or unticked, negative) in this iteration. */
  plan_delta: number;
  /** Texts of the boxes that left the open ones, at most 20. */
  plan_ticked?: string[];
  plan: PlanCounts | null;
  head: string | null;
  /** Hash of the whole tree's state; null where it is unknown. */
  fingerprint: string | null;
};

export type IterationOutcome = "answered" | "timed_out" | "failed";
/** Which rule decided what the iteration means, and the sentence that says it to a person. */
export type Verdict = { rule: string; sentence: string };

export type AgentError = { class: ErrorClass; message: string };

export type EventBody =
  | {
      type: "run_started";
      version: string;
      driver: string;
      settings: Record<string, unknown>;
      state: State;
      pid: number;
      started_by: string;
      project: string;
    }
  | { type: "run_recovered"; of_run: string; interrupted_iteration: number | null; ended_processes: number[] }
  | {
      type: "iteration_started";
      number: number;
      call: number;
      resume: string | null;
      plan: PlanCounts | null;
      head: string | null;
      snapshot: string | null;
    }
  | {
      type: "agent_started";
      call: number;
      purpose: CallPurpose;
      pid: number;
      group: number;
      /** Kernel start time of the process, so that a reused pid is not mistaken for it; null where unknown. */
      start_time: string | null;
      /** Value of RALPH_RUN in its environment. */
      marker: string;
      argv: string[];
    }
  | ({ type: "agent_text"; call: number } & Omit<Extract<AgentEvent, { type: "text" }>, "type">)
  | ({ type: "agent_tool_started"; call: number } & DistributiveOmit<Extract<AgentEvent, { type: "tool_use" }>, "type">)
  | ({ type: "agent_tool_finished"; call: number; size?: number } & Omit<
      Extract<AgentEvent, { type: "tool_result" }>,
      "type"
    >)
  | ({ type: "agent_usage"; call: number } & Usage)
  | { type: "agent_session"; call: number; session_id: string }
  | ({ type: "agent_limit"; call: number } & Omit<Extract<AgentEvent, { type: "rate_limited" }>, "type">)
  | ({ type: "agent_retry"; call: number } & Omit<Extract<AgentEvent, { type: "retry" }>, "type">)
  | {
      type: "agent_finished";
      call: number;
      outcome: AgentOutcome;
      exit_code: number | null;
      signal: string | null;
      ms: number;
      ok: boolean;
      final_text: string | null;
      error: AgentError | null;
      unknown_events: number;
      /** It was ended because nothing had been written for WRITE_TIMEOUT_MINUTES. */
      no_writes?: boolean;
      /** Why the call ends neither the iteration nor counts: it is repeated after a limit or without the rejected session. */
      repeat: "limit" | "session" | null;
    }
  | ({ type: "gate_started"; command: string } & ProcessIdentity)
  | {
      type: "gate_finished";
      command: string;
      exit_code: number | null;
      ms: number;
      timed_out: boolean;
      /** Its first 2 kB; all of it is in `file`, below the run's folder. */
      output: string;
      file?: string;
      /** The end of what the output leaves out. */
      tail?: string;
    }
  /** Reserves a call as `iteration_started` does; a review is no iteration. */
  | { type: "review_started"; number: number; call: number }
  | { type: "review_finished"; call: number; findings: ReviewFindings | null; sentence: string }
  /**
   * Reserves a call of an import, which ends with its `agent_finished`. `missing` names what the answer before left out of
   * the document; empty for the first call.
   */
  | { type: "import_started"; call: number; document: string; missing: string[] }
  | {
      type: "iteration_finished";
      outcome: IterationOutcome;
      analysis: Analysis;
      evidence: Evidence;
      verdict: Verdict;
      breaker: CircuitBreaker;
      usage: Usage;
      ms: number;
    }
  | { type: "iteration_interrupted"; number: number; why: string }
  | { type: "stop_requested"; how: StopHow; by: StopBy }
  | { type: "stop_withdrawn" }
  /** A person's words for the agent: they go into the next prompt. */
  | { type: "said"; text: string }
  | { type: "paused" }
  | { type: "resumed" }
  /** So many iterations more than MAX_ITERATIONS allows. */
  | { type: "bound_raised"; iterations: number }
  | { type: "wait_started"; until: string; why: WaitReason; message: string }
  | { type: "wait_ended"; why: WaitReason }
  | { type: "reset"; what: "session" | "circuit" | "both"; reason: SessionResetReason }
  | { type: "note"; level: "info" | "warn" | "error"; text: string }
  | {
      type: "run_finished";
      stop_reason: StopReason;
      exit_code: number;
      sentence: string;
      iterations: number;
      calls: number;
      usage: Usage;
      cost_usd: number | null;
    };

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type RalphEvent = Envelope & EventBody;
export type EventOf<T extends EventBody["type"]> = Envelope & Extract<EventBody, { type: T }>;
