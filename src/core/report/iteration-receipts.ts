import { gatePassed } from "../decide/gate-rules.ts";
import { changedBy } from "../diff/tool-edits.ts";
import type { EventOf, Evidence, RalphEvent } from "../journal/event.ts";
import { addUsage } from "../journal/usage.ts";
import { iterationName } from "./iteration-name.ts";
import { createFileTotals, createLineChangeCounter, type FileReceipt } from "./line-changes.ts";
import { createWaitTimer, elapsedMs } from "./report-time.ts";
import { emptyIterationReceipt, type IterationReceipt } from "./report-types.ts";

const MOST_FILES = 20;

/** Collects the receipts of iterations, and the files that all of them changed. */
export type IterationReceipts = {
  take(event: RalphEvent): void;
  iterations(): readonly IterationReceipt[];
  /** The receipts until now; the files of an iteration under way are not in them. */
  soFar(): { iterations: IterationReceipt[]; files: FileReceipt[] };
  /** After the last event: with the files of an iteration that has no end. */
  end(): { iterations: IterationReceipt[]; files: FileReceipt[] };
};

/** @param options as for `buildReport` */
export function createIterationReceipts({ foldCase }: { foldCase: boolean }): IterationReceipts {
  const rows: IterationReceipt[] = [];
  const sum = createFileTotals();
  const waited = createWaitTimer();
  let diff = createLineChangeCounter({ project: "", foldCase });
  /** The newest call of the iteration met a limit. */
  let isLimited = false;

  /** Adds the files of the iteration that ends to its receipt, and to the run's. */
  function settle(evidence: Evidence | null): void {
    const row = rows.at(-1);
    const files = diff.settle(countedBy(evidence, row), evidence?.files_changed ?? []);
    sum.add(files);
    if (row === undefined || files.length === 0) return;
    row.files = files.slice(0, MOST_FILES);
    row.lines_added += sumLines(files, "added");
    row.lines_removed += sumLines(files, "removed");
  }

  function rowOf(number: number, at: string): IterationReceipt {
    const last = rows.at(-1);
    if (last?.number === number) return last;
    settle(null);
    isLimited = false;
    const added = emptyIterationReceipt(number, at);
    rows.push(added);
    return added;
  }

  /** Events between the start and the end of an iteration belong to the newest one, its review and looks too. */
  function takeInto(row: IterationReceipt, event: RalphEvent): void {
    switch (event.type) {
      case "review_started":
      case "look_started":
      case "import_started":
        row.calls += 1;
        break;
      case "agent_tool_started":
        row.tools += 1;
        break;
      case "agent_usage":
        row.usage = addUsage(row.usage, event);
        break;
      case "agent_finished":
        row.agent_ms += event.ms;
        isLimited = event.repeat === "limit";
        // A limited call counts against no bound (product.md "Limited").
        if (isLimited) row.calls -= 1;
        break;
      case "gate_finished":
        row.gates.push({ command: event.command, ok: gatePassed(event), ms: event.ms });
        break;
      case "gate_weakened":
        row.gates = row.gates.map((gate) => (event.commands.includes(gate.command) ? { ...gate, ok: false } : gate));
        break;
      case "review_finished":
        row.review = event.sentence;
        row.wall_ms = elapsedMs(row.started_at, event.at);
        break;
      case "git_step":
        if (event.call !== undefined) row.calls += 1;
        if (event.result === "done" || event.result === "failed") row.git.push(event.text);
        row.wall_ms = elapsedMs(row.started_at, event.at);
        break;
      case "look_finished":
        row.looks.push(event.sentence);
        row.wall_ms = elapsedMs(row.started_at, event.at);
        break;
    }
  }

  function begin({ number, at, plan }: EventOf<"iteration_started">): void {
    const row = rowOf(number, at);
    row.calls += 1;
    row.plan = plan;
  }

  function finish(event: EventOf<"iteration_finished">): void {
    const row = rowOf(event.iteration, event.at);
    Object.assign(row, endOf(row, event));
    settle(event.evidence);
  }

  function breakOff({ number, at, why, plan }: EventOf<"iteration_interrupted">): void {
    const row = rowOf(number, at);
    // The boxes that it ticked are counted; which ones, nobody looked.
    if (plan != null && row.plan !== null) row.plan_delta = Math.max(0, plan.checked - row.plan.checked);
    row.plan = plan ?? row.plan;
    const stopped = why === "stopped";
    row.outcome = isLimited ? "limited" : stopped ? "stopped" : "interrupted";
    row.sentence = stopped ? "Stopped before its end." : `Broke off: ${why}.`;
    row.wall_ms = elapsedMs(row.started_at, at);
  }

  return {
    take(event) {
      const row = rows.at(-1);
      const ms = waited.take(event);
      if (row?.outcome === "open") row.waited_ms += ms;
      if (row !== undefined) takeInto(row, event);
      if (event.type === "run_started") diff = createLineChangeCounter({ project: event.project, foldCase });
      if (event.type === "agent_tool_started") diff.started(event);
      if (event.type === "agent_tool_finished" && event.is_error) diff.failed(event.tool_use_id);
      if (event.type === "iteration_started") begin(event);
      if (event.type === "iteration_finished") finish(event);
      if (event.type === "iteration_interrupted") breakOff(event);
      if (event.type === "run_finished") settle(null);
    },
    iterations: () => rows,
    soFar: () => ({ iterations: rows, files: sum.files() }),
    end() {
      settle(null);
      return { iterations: rows, files: sum.files() };
    },
  };
}

function endOf(row: IterationReceipt, event: EventOf<"iteration_finished">): Partial<IterationReceipt> {
  const { evidence, verdict, usage, outcome } = event;
  return {
    outcome,
    usage,
    wall_ms: elapsedMs(row.started_at, event.at),
    progress: evidence.progress,
    commits: evidence.commits,
    // The journal has the subject of the first commit, which is the last one here.
    commit_subjects: evidence.commits.map((id, at, all) => ({
      id,
      subject: (at === all.length - 1 ? evidence.subject : null) ?? null,
    })),
    files_changed: evidence.files_changed_count,
    plan: evidence.plan,
    plan_delta: evidence.plan_delta,
    ticked: evidence.plan_ticked ?? [],
    breaker: event.breaker.state,
    name: iterationName(event),
    summary: event.analysis.work_summary || null,
    recommendation: event.analysis.recommendation,
    rule: verdict.rule,
    sentence: verdict.sentence,
  };
}

/** Which paths' lines count: all of them in an import, which has no iterations and writes nothing but ralph's own files. */
function countedBy(evidence: Evidence | null, row: IterationReceipt | undefined): (path: string) => boolean {
  return row === undefined ? () => true : changedBy(evidence);
}

/** Lines of all files together. */
export function sumLines(files: readonly FileReceipt[], which: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[which], 0);
}
