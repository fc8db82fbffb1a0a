import type { AgentEvent, ErrorClass, Usage } from "../../driver.ts";
import type { Analysis } from "../answer/analysis-types.ts";
import type { Proof } from "../decide/proof.ts";
import type { ReviewFindings } from "../decide/review-state.ts";
import type { SessionResetReason } from "../decide/session.ts";
import type { TaskOutcome } from "../fleet/claim.ts";
import type { WeakerReason } from "../gates/compare.ts";
import type { WeakerEvidence } from "../gates/gate-trust.ts";
import type { TestCounts } from "../gates/test-counts.ts";
import type { LandedBranch } from "../land/land-state.ts";
import type { Gap } from "../look/gap-block.ts";
import type { Forecast } from "../money/forecast.ts";
import type { QuestionKind } from "../needs/questions.ts";
import type { Rewording } from "../plan/box-changes.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";
import type { GitStep } from "../publish/git-step.ts";
import type { CircuitBreaker } from "../stop/circuit-breaker.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { State } from "./state.ts";
import type { Spending } from "./usage.ts";

/** The journal version that this program writes, and the highest that it reads. */
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

/** Whether ralph ended the call, by the timeout or the idle clock. The changes made until then may still be work. */
export function wasCutShort(outcome: AgentOutcome): boolean {
  return outcome === "timed_out" || outcome === "idle";
}

export type CallPurpose = "main" | "review" | "look" | "rebase" | "import" | "repair" | "test";
export type WaitReason =
  | "call_budget"
  | "token_budget"
  | "usage_limit"
  | "rate_limit"
  | "failure"
  | "offline"
  | "idle"
  | "paused";
/** What a worker's run on one task took. */
export type WorkerSpending = { iterations: number; calls: number; usage: Spending };
/** How soon to stop. */
export type StopHow = "after_iteration" | "now";
export type StopBy = "SIGINT" | "SIGTERM" | "SIGHUP" | "user";

/** The observed result of an iteration, as opposed to what the agent claims. */
export type Evidence = {
  progress: boolean;
  /** Ids of the commits that HEAD gained. */
  commits: string[];
  /** A repository inside the project, such as a submodule, gained a commit. */
  committed_inside?: true;
  /** Paths below the project, sorted; at most 200 are listed. */
  files_changed: string[];
  files_changed_count: number;
  /** Boxes ticked (or unticked, negative) in this iteration. */
  plan_delta: number;
  /** Texts of the boxes that this iteration ticked, at most 20. */
  plan_ticked?: string[];
  /**
   * Texts of required boxes that left the plan in this run without a tick, and have none since, at most 20: gone, optional, or
   * marked in another way.
   */
  plan_taken_off?: string[];
  /** Boxes that this iteration gave other words, of those that a question is about. */
  plan_reworded?: Rewording[];
  /** The first line of the message of the first of these commits; older journals lack it. */
  subject?: string;
  plan: PlanCounts | null;
  head: string | null;
  /** Hash of the state of the whole tree; null if unknown. */
  fingerprint: string | null;
};

export type IterationOutcome = "answered" | "timed_out" | "failed";
/**
 * What a look came to: a gap, none, or nothing that could be used. `limited`: the run's own agent met its provider's limit, and looks
 * again when that is over.
 */
export type LookResult = "gap" | "none" | "failed" | "limited";
/** The rule that classified the iteration, and the sentence that explains it to the user. */
export type Verdict = { rule: string; sentence: string };

/** `passing`: it looks lasting, but one more call may find it gone. */
export type AgentError = { class: ErrorClass; message: string; passing?: true };

export type EventBody =
  | {
      type: "run_started";
      version: string;
      driver: string;
      /** What a person calls the agent; older journals lack it. */
      display_name?: string;
      /** What a person calls the agent that will look at finished work. */
      reviewer?: string;
      /** Engine and network of the sandbox of its agents, in words; absent if they are in none. */
      sandbox?: string;
      settings: Record<string, unknown>;
      state: State;
      pid: number;
      started_by: string;
      project: string;
      /** The text of `ralph "TEXT"`; null for the project's prompt and plan. Older journals lack it. */
      task?: string | null;
      /** The words of `ralph run` that make a later run like this one (run-words.ts). Older journals lack them. */
      words?: readonly string[];
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
      /** The text of the task at hand: the plan's first open box. Older journals lack it. */
      task?: string;
      /** What the agent was told after the prompt, whose own text stays out of the journal. Older journals lack it. */
      notes?: string;
      /** The branch that the run began on, if any. Older journals lack it. */
      branch?: string;
    }
  | {
      type: "agent_started";
      call: number;
      purpose: CallPurpose;
      pid: number;
      group: number;
      /** Kernel start time, which tells the process from a later one with the same pid; null if unknown. */
      start_time: string | null;
      /** Value of RALPH_RUN in its environment. */
      marker: string;
      argv: string[];
      /** Where this call begins in the file that tells what its session used, in bytes; absent for an agent without one. */
      usage_from?: number;
    }
  | ({ type: "agent_text"; call: number } & Omit<Extract<AgentEvent, { type: "text" }>, "type">)
  | ({ type: "agent_tool_started"; call: number } & DistributiveOmit<Extract<AgentEvent, { type: "tool_use" }>, "type">)
  | ({ type: "agent_tool_finished"; call: number; size?: number } & Omit<
      Extract<AgentEvent, { type: "tool_result" }>,
      "type"
    >)
  | ({ type: "agent_usage"; call: number } & Spending)
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
      /** ralph ended the call because it had written nothing for WRITE_TIMEOUT_MINUTES. */
      no_writes?: boolean;
      /**
       * Why this call does not count and leaves its iteration open: it is repeated after a limit, or without the
       * rejected session.
       */
      repeat: "limit" | "session" | null;
    }
  | ({ type: "gate_started"; command: string } & ProcessIdentity)
  | {
      type: "gate_finished";
      command: string;
      exit_code: number | null;
      ms: number;
      timed_out: boolean;
      /** The first 2 kB; `file`, below the run's folder, has all of it. */
      output: string;
      file?: string;
      /** The end of an output that is longer than `output`. */
      tail?: string;
      /** Lines that name what failed, of a red one. */
      failing?: string[];
      /** The tests that it counts, as its runner prints them. */
      counts?: TestCounts;
      /** It is green, and its runner says that it ran no test: it proves nothing. */
      no_tests?: true;
      /** Its first run on this tree, which was red; the rest is about the second. */
      first_run?: { exit_code: number | null; timed_out: boolean; file: string };
      /** Number of a hidden gate, whose command and output stay outside the project, and what it requires. */
      hidden?: { number: number; requirement: string | null };
    }
  /**
   * The gate files were read and kept as the measure of "done". `continues`: the run whose unfinished work is judged by the
   * gates that it began with. `unkept`: files of which only the hash is known.
   */
  | { type: "gate_frozen"; digest: string; files: number; bytes: number; unkept: number; continues: string | null }
  /** A gate ran in a copy of the project, with the files of the gates as frozen or as the agent left them. */
  | {
      type: "gate_probed";
      command: string;
      gate_files: "frozen" | "own";
      exit_code: number | null;
      ms: number;
      timed_out: boolean;
      file: string;
    }
  /** These gates are green, but the files that they run and read got weaker. The diff has a few lines of each file. */
  | {
      type: "gate_weakened";
      commands: string[];
      evidence: WeakerEvidence;
      reasons: WeakerReason[];
      diff: string;
    }
  /**
   * Nothing but the agent's word decides about "done" in this run: it has no gate, or gates that only warn. `check`: the one that is
   * found in the project, or the first gate.
   */
  | { type: "done_unchecked"; why: "no_gate" | "gates_only_warn"; check: string | null }
  /** Gates that had got weaker prove again what they did at the start. */
  | { type: "gate_restored" }
  /** A person wants the gates as they are. */
  | { type: "gate_accepted" }
  /** Reserves a call as `iteration_started` does, though a review is not an iteration. */
  | { type: "review_started"; number: number; call: number }
  | { type: "review_finished"; call: number; findings: ReviewFindings | null; sentence: string }
  /** Reserves the call of a look at finished work, by an agent that may be another than the run's. */
  | { type: "look_started"; number: number; call: number; driver: string; display_name: string }
  /** The end of a gap's command, which `gate_started` began; it says nothing about the gates. */
  | {
      type: "gap_checked";
      command: string;
      exit_code: number | null;
      ms: number;
      timed_out: boolean;
      /** The last 1.5 kB; `file`, below the run's folder, has all of it. */
      output: string;
      file: string;
    }
  /** The command was red twice on the same tree, and is a gate from now on. */
  | ({ type: "gap_named"; exit_code: number; output: string } & Gap)
  | { type: "look_finished"; call: number; result: LookResult; gap: Gap | null; sentence: string }
  /**
   * Reserves a call of an import, which ends with its `agent_finished`. `missing` names what the previous answer
   * omitted from the document; empty for the first call.
   */
  | { type: "import_started"; call: number; document: string; missing: string[] }
  | {
      type: "iteration_finished";
      outcome: IterationOutcome;
      analysis: Analysis;
      evidence: Evidence;
      verdict: Verdict;
      breaker: CircuitBreaker;
      usage: Spending;
      ms: number;
    }
  /** `plan`: as it was then; absent where ralph itself was ended. */
  | { type: "iteration_interrupted"; number: number; why: string; plan?: PlanCounts | null }
  /**
   * An answer asks something of a person, before its iteration ends. `parked`: the task is set aside until the answer. Outside an
   * iteration: an open question of an imported document.
   */
  | { type: "question_asked"; kind: QuestionKind; task: string | null; text: string; parked: boolean }
  /** A person answers a question: the agent's next prompt holds both, and the task comes back. */
  | { type: "question_answered"; number: number; text: string }
  /** The tasks of these questions are no longer open in the plan. */
  | { type: "questions_dropped"; numbers: number[] }
  /** A swarm gave the answer about a task to the worker that goes on with it. */
  | { type: "answer_passed_on"; task: string; text: string }
  /** What was said to a swarm is in the next prompts of these workers. */
  | { type: "said_passed_on"; text: string; workers: string[] }
  | { type: "stop_requested"; how: StopHow; by: StopBy }
  | { type: "stop_withdrawn" }
  /** A user's message to the agent, for the next prompt. */
  | { type: "said"; text: string }
  | { type: "paused" }
  | { type: "resumed" }
  /** The number of iterations allowed beyond MAX_ITERATIONS. */
  | { type: "bound_raised"; iterations: number }
  | { type: "wait_started"; until: string; why: WaitReason; message: string }
  | { type: "wait_ended"; why: WaitReason }
  | { type: "reset"; what: "session" | "circuit" | "both"; reason: SessionResetReason }
  /**
   * The files were kept as a commit, `refs/ralph/RUN/NAME`: `3.before` and `3` for the third iteration, `undo-1` before an undo.
   * `left_out`: how many files it lacks.
   */
  | { type: "checkpoint_made"; name: string; commit: string; left_out: number }
  | { type: "checkpoint_missed"; name: string; why: string }
  /** A person put the files back as a checkpoint has them, or took a task out of them; `kept` has them as they were. */
  | {
      type: "undone";
      to: string | null;
      task?: string;
      kept: string;
      written: number;
      deleted: number;
      set_aside: string[];
      left: string[];
      /** Files that somebody changed after the last iteration, and that went along. */
      changed_since?: string[];
    }
  /**
   * Branches were put together on the target's commit `base`, in this order; `waiting`: how many more wait; `untested`: there is no gate, and
   * no `land_tested` follows.
   */
  | {
      type: "land_stacked";
      target: string;
      base: string;
      tip: string;
      branches: string[];
      waiting: number;
      untested?: true;
    }
  /** The gates ran on a commit with these branches on the target, none for the target itself. */
  | {
      type: "land_tested";
      target: string;
      commit: string;
      branches: string[];
      green: boolean;
      flaky: string[];
      ms: number;
    }
  /** The target is about to be moved to exactly the commit that was tested. */
  | { type: "landing"; target: string; from: string; to: string; branches: LandedBranch[] }
  /** It was moved, or had these branches already (`from` is `to`). */
  | {
      type: "landed";
      target: string;
      from: string;
      to: string;
      branches: LandedBranch[];
      /** Tasks that were ticked in the project's plan, as they had been in the worktrees of these branches. */
      ticked?: string[];
    }
  /** A branch was given back, or stays as it is: `claim` tells what became of its task. */
  | {
      type: "land_returned";
      branch: string;
      task: string | null;
      text: string | null;
      why: "red" | "conflict" | "weaker";
      claim: "returned" | "parked" | "gone" | "kept";
      message: string;
      /** Those in conflict; absent for another reason, and where git names none. */
      files?: string[];
    }
  /** The target was moved by somebody else, or cannot be moved: what is left waits. */
  | { type: "land_held"; target: string; why: "moved" | "refused" | "red_target"; text: string }
  /** A step of COMMIT, REBASE_ON, PUSH or TAG was done, or not. */
  | ({ type: "git_step" } & GitStep)
  /** How this run will probably end, once enough tasks are finished; again when it leaves that range. */
  | ({ type: "forecast_made" } & Forecast)
  /** What this user's runs spent today over all projects, before an iteration that MAX_COST_PER_DAY bounds. */
  | { type: "day_spent"; day: string; usd: number }
  /**
   * A worker has this task, of those that several workers share. `session`: the conversation that goes on with it, and what that used.
   */
  | {
      type: "task_claimed";
      task: string;
      text: string;
      worker: string;
      branch: string;
      session: string | null;
      used?: Usage;
    }
  /** `spent`: by the worker's own run, where this journal is its swarm's. */
  | { type: "task_released"; task: string; worker: string; outcome: TaskOutcome; why: string; spent?: WorkerSpending }
  | { type: "note"; level: "info" | "warn" | "error"; text: string }
  | {
      type: "run_finished";
      stop_reason: StopReason;
      exit_code: number;
      sentence: string;
      iterations: number;
      calls: number;
      usage: Spending;
      cost_usd: number | null;
      /** What "done" rests on; null for every other end. Older journals lack it. */
      proof?: Proof | null;
    };

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type RalphEvent = Envelope & EventBody;
export type EventOf<T extends EventBody["type"]> = Envelope & Extract<EventBody, { type: T }>;

/** All but what an agent says and does, which is nearly all of a journal. */
export type RareEvent = Exclude<RalphEvent, EventOf<"agent_text" | "agent_tool_started" | "agent_tool_finished">>;
