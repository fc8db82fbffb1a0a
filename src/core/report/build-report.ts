import { gatePassed } from "../decide/gate-rules.ts";
import { isFlake } from "../gates/gate-trust.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { isRunOver } from "../journal/run-over.ts";
import { addUsage, noUsage, type Spending } from "../journal/usage.ts";
import { projectName } from "../project-name.ts";
import { runTitle } from "../run-title.ts";
import { createIterationReceipts, sumLines } from "./iteration-receipts.ts";
import { createWaitTimer, elapsedMs } from "./report-time.ts";
import { emptyReport, type IterationReceipt, type Report } from "./report-types.ts";
import { taskReceipts } from "./task-receipts.ts";
import { createWorkerReceipts } from "./worker-receipts.ts";

const MOST_FILES = 40;

export type BuildReportOptions = { foldCase?: boolean; now?: string | undefined };

/**
 * Builds the receipts of a run, per iteration, per task and in total, in one pass over its events. It keeps results,
 * not text and actions: memory grows with the iterations, not with the journal.
 * @param options `foldCase`: file names ignore case on the project's file system. `now`: ISO time up to which a live
 *   run has lasted; by default its newest event
 */
export function buildReport(events: Iterable<RalphEvent>, { foldCase = false, now }: BuildReportOptions = {}): Report {
  const builder = createReportBuilder({ foldCase });
  for (const event of events) builder.take(event);
  return builder.end(now);
}

/** Builds a report event by event, for a screen that follows a run. */
export type ReportBuilder = {
  take(event: RalphEvent): void;
  /** The iterations of that report alone, which cost nothing. */
  iterations(): readonly IterationReceipt[];
  /** The report until now. @param now ISO time up to which a live run has lasted */
  soFar(now?: string): Report;
  /** The report after the last event: with the files of an iteration that has no end. */
  end(now?: string): Report;
};

/** @param options as for `buildReport` */
export function createReportBuilder({ foldCase }: { foldCase: boolean }): ReportBuilder {
  const rows = createIterationReceipts({ foldCase });
  const run = createRun();
  const workers = createWorkerReceipts();
  let isOver = false;
  const whole = ({ iterations, files }: ReturnType<typeof rows.end>, now: string | undefined): Report => ({
    ...run.report(now),
    // The evidence of an iteration with very many files names only the first ones.
    files_changed: iterations.reduce((most, row) => Math.max(most, row.files_changed), files.length),
    files: files.slice(0, MOST_FILES),
    lines_added: sumLines(files, "added"),
    lines_removed: sumLines(files, "removed"),
    tasks: [...taskReceipts(iterations), ...workers.tasks()],
    iterations,
  });
  return {
    take(event) {
      const wasOver = isOver;
      isOver ||= isRunOver(event);
      if (wasOver || (isOver && event.type === "run_recovered")) return;
      rows.take(event);
      run.take(event);
      workers.take(event);
    },
    iterations: rows.iterations,
    soFar: (now) => whole(rows.soFar(), now),
    end: (now) => whole(rows.end(), now),
  };
}

/** The run as a whole. */
function createRun(): { take(event: RalphEvent): void; report(now?: string): Report } {
  const report = emptyReport();
  const gates = new Map<string, Report["gates"][number]>();
  /** By command: how often it was green in the iteration that is under way. */
  const green = new Map<string, number>();
  const waited = createWaitTimer();

  function takeGate(event: EventOf<"gate_finished">): void {
    const gate = gates.get(event.command) ?? { command: event.command, passed: 0, failed: 0, flakes: 0, ms: 0 };
    const passed = gatePassed(event);
    gate[passed ? "passed" : "failed"] += 1;
    if (passed) green.set(event.command, (green.get(event.command) ?? 0) + 1);
    if (isFlake(event)) gate.flakes += 1;
    gate.ms += event.ms;
    gates.set(event.command, gate);
  }

  /** What was green because its checks got weaker was not green: the iterations say the same. */
  function takeBack({ commands }: EventOf<"gate_weakened">): void {
    for (const command of commands) {
      const [gate, count] = [gates.get(command), green.get(command) ?? 0];
      green.delete(command);
      if (gate === undefined) continue;
      gate.passed -= count;
      gate.failed += count;
    }
  }

  function spend(usage: Spending): void {
    report.usage = addUsage(report.usage, usage);
    if (usage.model !== null && !report.models.includes(usage.model)) report.models.push(usage.model);
  }

  function take(event: RalphEvent): void {
    report.ended_at = event.at;
    report.waited_ms += waited.take(event);
    switch (event.type) {
      case "run_started":
        Object.assign(report, headOf(event));
        break;
      case "iteration_started":
        green.clear();
        report.calls += 1;
        report.plan_before ??= event.plan;
        report.plan = event.plan ?? report.plan;
        break;
      case "review_started":
      case "look_started":
      case "import_started":
        report.calls += 1;
        break;
      case "git_step":
        // Only a rebase whose conflicts an agent is to solve has one.
        if (event.call !== undefined) report.calls += 1;
        break;
      case "agent_tool_started":
        report.tools += 1;
        break;
      case "agent_usage":
        spend(event);
        break;
      case "task_released":
        if (event.spent === undefined) break;
        report.calls += event.spent.calls;
        spend(event.spent.usage);
        break;
      case "agent_finished":
        report.agent_ms += event.ms;
        // A limited call counts against no bound (product.md "Limited").
        if (event.repeat === "limit") report.calls -= 1;
        break;
      case "gate_finished":
        takeGate(event);
        break;
      case "gate_weakened":
        takeBack(event);
        break;
      case "iteration_finished":
        report.commits += event.evidence.commits.length;
        report.plan = event.evidence.plan ?? report.plan;
        break;
      case "iteration_interrupted":
        report.plan = event.plan ?? report.plan;
        break;
      case "run_finished":
        report.stop_reason = event.stop_reason;
        report.exit_code = event.exit_code;
        report.sentence = event.sentence;
        report.proof = event.proof ?? null;
        break;
    }
  }

  return {
    take,
    report: (now = report.ended_at) => ({
      ...report,
      wall_ms: elapsedMs(report.started_at, now),
      waited_ms: report.waited_ms + waited.open(now),
      gates: [...gates.values()],
    }),
  };
}

function headOf({
  run,
  project,
  driver,
  display_name = driver,
  version,
  settings,
  at,
  state,
  task = null,
}: EventOf<"run_started">): Partial<Report> {
  const project_name = projectName({ settings, project });
  const plan = { plan_before: state.plan ?? null, plan: state.plan ?? null };
  const title = runTitle({ task, settings, project });
  // Not nothing where the agent destroyed the journal: it begins anew with the state in memory. A snapshot of an older ralph may lack them.
  const { calls, usage }: Partial<typeof state> = state;
  const spent = { calls: calls ?? 0, usage: usage ?? noUsage() };
  return { run, project, project_name, task, title, driver, display_name, version, started_at: at, ...plan, ...spent };
}
