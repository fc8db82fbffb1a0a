import type { Usage } from "../driver.ts";
import { createDiffCount, createFileSum, type FileReceipt } from "./diff-count.ts";
import type { EventOf, Evidence, IterationOutcome, RalphEvent } from "./event.ts";
import type { PlanCounts } from "./plan.ts";
import type { StopReason } from "./stop.ts";
import { type TaskReceipt, tasksOf } from "./task-receipts.ts";
import { addUsage, noUsage } from "./usage.ts";

export type GateReceipt = { command: string; ok: boolean; ms: number };

/** What one iteration cost and what came of it. */
export type IterationReceipt = {
  number: number;
  started_at: string;
  /**
   * `stopped`: a person ended it. `interrupted`: something else did. `open`: no end of it is recorded, since it is under
   * way or ralph was killed.
   */
  outcome: IterationOutcome | "stopped" | "interrupted" | "open";
  /** Those of its reviews too. */
  calls: number;
  tools: number;
  usage: Usage;
  /** From its start to its end, waits and gates included; null while it is open. */
  wall_ms: number | null;
  agent_ms: number;
  waited_ms: number;
  progress: boolean;
  commits: string[];
  files_changed: number;
  /** The files with most lines changed by the agent's own tools; the rest without figures. */
  files: FileReceipt[];
  lines_added: number;
  lines_removed: number;
  plan: PlanCounts | null;
  plan_delta: number;
  /** Texts of the boxes that it ticked, where they are recorded. */
  ticked: string[];
  gates: GateReceipt[];
  review: string | null;
  breaker: "closed" | "half_open" | "open";
  /** Why the run went on, or stopped. */
  rule: string | null;
  sentence: string | null;
};

/** The document of `ralph report --json`. */
export type Report = {
  run: string;
  project: string;
  project_name: string;
  driver: string;
  version: string;
  models: string[];
  started_at: string;
  /** Time of the newest event. */
  ended_at: string;
  wall_ms: number;
  /** Null while the run lives, and for one that broke off. */
  stop_reason: StopReason | null;
  exit_code: number | null;
  sentence: string | null;
  calls: number;
  tools: number;
  usage: Usage;
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
  gates: { command: string; passed: number; failed: number; ms: number }[];
  tasks: TaskReceipt[];
  iterations: IterationReceipt[];
};

const MOST_FILES = 20;
const MOST_FILES_OF_RUN = 40;

/**
 * Receipts of a run, per iteration, per task and in all, from its events in order. Reads them once and keeps what an
 * iteration came to, not what was said and done in it: the memory grows with the iterations, not with the journal.
 */
export function reportOf(events: Iterable<RalphEvent>): Report {
  const report = emptyReport();
  const gates = new Map<string, Report["gates"][number]>();
  const sum = createFileSum();
  let diff = createDiffCount("");
  let waitBegan: string | null = null;
  /** Takes the files of the iteration that ends into its receipt, and the run's. */
  const settle = (evidence: Evidence | null): void => {
    const row = report.iterations.at(-1);
    const files = diff.settle(countedBy(evidence, row), evidence?.files_changed ?? []);
    sum.add(files);
    if (row === undefined || files.length === 0) return;
    row.files = files.slice(0, MOST_FILES);
    row.lines_added += linesIn(files, "added");
    row.lines_removed += linesIn(files, "removed");
  };
  const rowOf = (number: number, at: string): IterationReceipt => {
    const last = report.iterations.at(-1);
    if (last?.number === number) return last;
    settle(null);
    const added = emptyRow(number, at);
    report.iterations.push(added);
    return added;
  };

  for (const event of events) {
    report.ended_at = event.at;
    const row = report.iterations.at(-1);
    switch (event.type) {
      case "run_started":
        Object.assign(report, headOf(event));
        diff = createDiffCount(event.project);
        break;
      case "iteration_started": {
        const open = rowOf(event.number, event.at);
        open.calls += 1;
        open.plan = event.plan;
        report.calls += 1;
        report.plan_before ??= event.plan;
        report.plan = event.plan ?? report.plan;
        break;
      }
      case "review_started":
      case "import_started":
        report.calls += 1;
        if (row !== undefined) row.calls += 1;
        break;
      case "agent_tool_started":
        report.tools += 1;
        if (row !== undefined) row.tools += 1;
        diff.started(event);
        break;
      case "agent_tool_finished":
        if (event.is_error) diff.failed(event.tool_use_id);
        break;
      case "agent_usage":
        report.usage = addUsage(report.usage, event);
        if (row?.outcome === "open") row.usage = addUsage(row.usage, event);
        if (event.model !== null && !report.models.includes(event.model)) report.models.push(event.model);
        break;
      case "agent_finished":
        report.agent_ms += event.ms;
        if (row?.outcome === "open") row.agent_ms += event.ms;
        // A limited call counts against no bound (product.md 4).
        if (event.repeat === "limit") report.calls -= 1;
        if (event.repeat === "limit" && row !== undefined) row.calls -= 1;
        break;
      case "gate_finished": {
        const ok = event.exit_code === 0 && !event.timed_out;
        row?.gates.push({ command: event.command, ok, ms: event.ms });
        const sum = gates.get(event.command) ?? { command: event.command, passed: 0, failed: 0, ms: 0 };
        sum[ok ? "passed" : "failed"] += 1;
        sum.ms += event.ms;
        gates.set(event.command, sum);
        break;
      }
      case "review_finished":
        if (row !== undefined) row.review = event.sentence;
        break;
      case "iteration_finished": {
        const closed = rowOf(event.iteration, event.at);
        Object.assign(closed, endOf(closed, event));
        settle(event.evidence);
        report.commits += event.evidence.commits.length;
        report.plan = event.evidence.plan ?? report.plan;
        break;
      }
      case "iteration_interrupted": {
        const broken = rowOf(event.number, event.at);
        const stopped = event.why === "stopped";
        broken.outcome = stopped ? "stopped" : "interrupted";
        broken.sentence = stopped ? "Stopped before its end." : `Broke off: ${event.why}.`;
        broken.wall_ms = between(broken.started_at, event.at);
        break;
      }
      case "wait_started":
        waitBegan = event.at;
        break;
      case "wait_ended": {
        const waited = waitBegan === null ? 0 : between(waitBegan, event.at);
        waitBegan = null;
        report.waited_ms += waited;
        if (row?.outcome === "open") row.waited_ms += waited;
        break;
      }
      case "run_finished":
        report.stop_reason = event.stop_reason;
        report.exit_code = event.exit_code;
        report.sentence = event.sentence;
        break;
    }
  }
  settle(null);
  const files = sum.files();
  return {
    ...report,
    wall_ms: between(report.started_at, report.ended_at),
    // Of an iteration with very many files evidence names only the first.
    files_changed: report.iterations.reduce((most, row) => Math.max(most, row.files_changed), files.length),
    files: files.slice(0, MOST_FILES_OF_RUN),
    lines_added: linesIn(files, "added"),
    lines_removed: linesIn(files, "removed"),
    gates: [...gates.values()],
    tasks: tasksOf(report.iterations),
  };
}

function headOf({ run, project, driver, version, settings, at, state }: EventOf<"run_started">): Partial<Report> {
  const name = settings.PROJECT_NAME;
  const project_name = typeof name === "string" && name !== "my-project" ? name : (project.split(/[\\/]/).at(-1) ?? "");
  return { run, project, project_name, driver, version, started_at: at, plan_before: state.plan, plan: state.plan };
}

function endOf(row: IterationReceipt, event: EventOf<"iteration_finished">): Partial<IterationReceipt> {
  const { evidence, verdict, usage, outcome } = event;
  return {
    outcome,
    usage,
    wall_ms: between(row.started_at, event.at),
    progress: evidence.progress,
    commits: evidence.commits,
    files_changed: evidence.files_changed_count,
    plan: evidence.plan,
    plan_delta: evidence.plan_delta,
    ticked: evidence.plan_ticked ?? [],
    breaker: event.breaker.state,
    rule: verdict.rule,
    sentence: verdict.sentence,
  };
}

/**
 * Which paths' lines count. Evidence decides where it names every changed file: an edit that was taken back, one of an
 * ignored file, and a file written as it was before changed nothing. Ralph's own files are no work; of an import, which
 * has no iterations, they are all of it.
 */
function countedBy(evidence: Evidence | null, row: IterationReceipt | undefined): (path: string) => boolean {
  if (row === undefined) return () => true;
  if (evidence === null || evidence.files_changed_count > evidence.files_changed.length)
    return (path) => !path.startsWith(".ralph/");
  const changed = new Set(evidence.files_changed);
  return (path) => changed.has(path);
}

function linesIn(files: readonly FileReceipt[], which: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[which], 0);
}

/** Milliseconds between two ISO times; 0 where a clock went back. */
function between(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function emptyRow(number: number, at: string): IterationReceipt {
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
    files_changed: 0,
    files: [],
    lines_added: 0,
    lines_removed: 0,
    plan: null,
    plan_delta: 0,
    ticked: [],
    gates: [],
    review: null,
    breaker: "closed",
    rule: null,
    sentence: null,
  };
}

function emptyReport(): Report {
  return {
    run: "",
    project: "",
    project_name: "",
    driver: "",
    version: "",
    models: [],
    started_at: "",
    ended_at: "",
    wall_ms: 0,
    stop_reason: null,
    exit_code: null,
    sentence: null,
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
    iterations: [],
  };
}
