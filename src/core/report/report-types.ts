import type { Proof } from "../decide/proof.ts";
import type { NamedCommit } from "../diff/run-diff.ts";
import type { IterationOutcome } from "../journal/event.ts";
import { noUsage, type Spending } from "../journal/usage.ts";
import type { Need } from "../needs/needs.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { FileReceipt } from "./line-changes.ts";
import type { TaskReceipt } from "./task-receipts.ts";

export type GateReceipt = { command: string; ok: boolean; ms: number };

/** The cost and the results of one iteration. */
export type IterationReceipt = {
  number: number;
  started_at: string;
  /**
   * `stopped`: the user ended it. `interrupted`: something else ended it. `limited`: it met the provider's limit and
   * was not resumed, so it counts as none (product.md "Limited"). `open`: no recorded end, because it is under way or
   * ralph was killed.
   */
  outcome: IterationOutcome | "stopped" | "interrupted" | "limited" | "open";
  /** Includes those of its reviews and looks. */
  calls: number;
  tools: number;
  usage: Spending;
  /** From its start to its end, including waits, gates, its review and looks; null while it is open. */
  wall_ms: number | null;
  agent_ms: number;
  waited_ms: number;
  progress: boolean;
  commits: string[];
  /** The same with the first lines of their messages, as far as they are known. */
  commit_subjects: NamedCommit[];
  files_changed: number;
  /** The files with most lines changed by the agent's own tools; other files without figures. */
  files: FileReceipt[];
  lines_added: number;
  lines_removed: number;
  plan: PlanCounts | null;
  plan_delta: number;
  /** Texts of the boxes that it ticked, if recorded. */
  ticked: string[];
  gates: GateReceipt[];
  review: string | null;
  /** The looks at finished work that followed it, a sentence each. */
  looks: string[];
  /** The git steps after it that were done or failed, a sentence each. */
  git: string[];
  breaker: "closed" | "half_open" | "open";
  /** The task that it ticked, else the subject of its first commit, else the first line of its answer. */
  name: string | null;
  /** What the agent said of its work, and what it asks for; null where it said nothing. */
  summary: string | null;
  recommendation: string | null;
  /** Why the run continued, or stopped. */
  rule: string | null;
  sentence: string | null;
};

/** What is to be done after the newest run. */
export type ReportNext = {
  /** The text of the first open box that is not set aside. */
  task: string | null;
  /** Those of all open boxes, in the order of work; none for a run that does not work from the plan. */
  open_tasks: string[];
  /** What to do, in words, and the commands in them; none while it is live. */
  step: string | null;
  commands: string[];
};

/** The document of `ralph report --json`. */
export type Report = {
  run: string;
  project: string;
  project_name: string;
  /** The text of `ralph "TEXT"`; null for the project's prompt and plan. */
  task: string | null;
  /** What a reader calls the run: its task on one line, else the project. */
  title: string;
  driver: string;
  display_name: string;
  version: string;
  models: string[];
  started_at: string;
  /** Time of its newest event; what others recorded once it was over is none of it. */
  ended_at: string;
  wall_ms: number;
  /** Null for a live run, and for one that broke off. */
  stop_reason: StopReason | null;
  exit_code: number | null;
  sentence: string | null;
  /** What "done" rests on; null for every other end. */
  proof: Proof | null;
  calls: number;
  tools: number;
  usage: Spending;
  agent_ms: number;
  waited_ms: number;
  commits: number;
  files_changed: number;
  lines_added: number;
  lines_removed: number;
  /** The files with most lines changed. */
  files: FileReceipt[];
  plan_before: PlanCounts | null;
  plan: PlanCounts | null;
  /** `flakes`: how often it was red, then green on the same tree; those count as passed. */
  gates: { command: string; passed: number; failed: number; flakes: number; ms: number }[];
  tasks: TaskReceipt[];
  /** What needs a person now; empty for a run that is not the newest. */
  needs: Need[];
  /** What is to be done now; null for a run that is not the newest. */
  next: ReportNext | null;
  iterations: IterationReceipt[];
};

/** How many iterations count, as in `ralph runs` and for the bounds: those of a swarm's workers too. */
export function countedIterations({ iterations, tasks }: Pick<Report, "iterations" | "tasks">): number {
  const own = iterations.filter(({ outcome }) => outcome !== "limited").length;
  return tasks.reduce((sum, task) => (task.first_iteration === 0 ? sum + task.iterations : sum), own);
}

/** Whether others did the work: a swarm's workers, or whoever made the branches of a landing. Files and tools are not in its journal. */
export function isOfOthers({ iterations, tasks }: Pick<Report, "iterations" | "tasks">): boolean {
  return iterations.length === 0 && tasks.length > 0;
}

/** The receipt of a new iteration. */
export function emptyIterationReceipt(number: number, at: string): IterationReceipt {
  return {
    number,
    started_at: at,
    outcome: "open",
    calls: 0,
    tools: 0,
    usage: noUsage(),
    wall_ms: null,
    agent_ms: 0,
    waited_ms: 0,
    progress: false,
    commits: [],
    commit_subjects: [],
    files_changed: 0,
    files: [],
    lines_added: 0,
    lines_removed: 0,
    plan: null,
    plan_delta: 0,
    ticked: [],
    gates: [],
    review: null,
    looks: [],
    git: [],
    breaker: "closed",
    name: null,
    summary: null,
    recommendation: null,
    rule: null,
    sentence: null,
  };
}

/** The run's agent and models, for a reader. A scripted agent's model has the name of its driver. */
export function agentNames({ driver, display_name, models }: Report): string[] {
  return [display_name, ...models.filter((model) => model !== driver)].filter((name) => name !== "");
}

/** The receipts before the first event. */
export function emptyReport(): Report {
  return {
    run: "",
    project: "",
    project_name: "",
    task: null,
    title: "",
    driver: "",
    display_name: "",
    version: "",
    models: [],
    started_at: "",
    ended_at: "",
    wall_ms: 0,
    stop_reason: null,
    exit_code: null,
    sentence: null,
    proof: null,
    calls: 0,
    tools: 0,
    usage: noUsage(),
    agent_ms: 0,
    waited_ms: 0,
    commits: 0,
    files_changed: 0,
    lines_added: 0,
    lines_removed: 0,
    files: [],
    plan_before: null,
    plan: null,
    gates: [],
    tasks: [],
    needs: [],
    next: null,
    iterations: [],
  };
}
