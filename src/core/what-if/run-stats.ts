import { addCost, type Cost, roundMoney, usdOf } from "../journal/usage.ts";
import type { RunReceipt } from "../report/run-receipt.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import type { SettingChanges } from "./changed-settings.ts";
import type { Course, WhatIfReport } from "./what-if-types.ts";

/** A kept run with the answers about the settings that were asked, in their order; null if its journal has no beginning. */
export type AskedRun = { receipt: RunReceipt; report: WhatIfReport | null };

/** How runs ended: all with one reason, or null for those that broke off. */
export type OutcomeRow = Cost & {
  stop_reason: StopReason | null;
  exit_code: number | null;
  runs: number;
};

/** What other settings would have changed over all runs; money is what agents told, else estimated. */
export type SavingRow = {
  settings: SettingChanges;
  /** Runs that did not get done, would have ended earlier and brought nothing after that, and what that would have saved. */
  runs: number;
  saved_usd: number;
  saved_iterations: number;
  /** Runs that would have ended earlier, and went on to bring work. */
  cut_working: number;
  /** Runs that got done, and would not have. */
  cut_done: number;
  /** Runs that would have counted as done earlier than they did, or at all. */
  done_earlier: number;
  /** Runs that would have gone on beyond their record, or done something whose result nobody knows. */
  unknown: number;
  same: number;
};

/** The figures of all kept runs of a project; live runs and those without an agent's iterations are left out. */
export type RunStats = Cost & {
  runs: number;
  done: number;
  first_at: string | null;
  last_at: string | null;
  /** All money of these runs for each one that got done in at least one iteration. */
  cost_per_done_usd: number | null;
  iterations: number;
  /** Of the runs that got done in at least one; null without such a run. */
  iterations_to_done: { least: number; median: number; most: number } | null;
  outcomes: OutcomeRow[];
  /** The greatest saving first. */
  savings: SavingRow[];
};

const NARROWER: readonly SettingChanges[] = [
  { CB_NO_PROGRESS_THRESHOLD: 2 },
  { CB_SAME_ERROR_THRESHOLD: 2 },
  { SAME_DENIAL_THRESHOLD: 2 },
  { NO_HEADWAY_THRESHOLD: 4 },
  { DONE_POLICY: "evidence" },
  { DONE_POLICY: "signals" },
];

/** Whether a run that something started is one of the loop: no other decides as it does. */
export function isLoop(startedBy: string | null): boolean {
  return startedBy === "cli" || startedBy === "task" || startedBy === "demo";
}

function isDone({ stop_reason }: Pick<RunReceipt, "stop_reason">): boolean {
  return stop_reason !== null && STOP_REASONS[stop_reason].status === "completed";
}

/**
 * The short list of settings that bound a run, and would have ended some of these earlier. Bounds on iterations and money are the
 * most that a run took that got done, so they would not have cut any of those.
 */
export function savingQuestions(receipts: readonly RunReceipt[]): SettingChanges[] {
  const done = receipts.filter(isDone);
  const most = (values: number[]) => (values.length === 0 ? null : Math.max(...values));
  const iterations = most(done.map(iterationsInAll).filter((n) => n > 0));
  const cost = most(done.map(costInAll).filter((usd) => usd > 0));
  return [
    ...(iterations === null ? [] : [{ MAX_ITERATIONS: iterations }]),
    // A bound is reached when so much is spent, so a run of exactly that cost still gets done.
    ...(cost === null ? [] : [{ MAX_COST_USD: Math.ceil(cost * 100) / 100 }]),
    ...NARROWER,
  ];
}

/** Iterations of a run, with those of one that broke off and whose work it went on with: the bounds count both. */
function iterationsInAll({ iterations, earlier }: RunReceipt): number {
  return earlier.iterations + iterations;
}

function costInAll({ cost_usd, earlier }: RunReceipt): number {
  return roundMoney((earlier.cost_usd ?? 0) + (cost_usd ?? 0));
}

/** The figures over runs that were asked the same questions. */
export function runStats(runs: readonly AskedRun[], questions: readonly SettingChanges[]): RunStats {
  const receipts = runs.map(({ receipt }) => receipt);
  const done = receipts.filter(isDone);
  const cost = costOfAll(receipts);
  const all = usdOf(cost);
  // A run that found everything done, such as one that cron starts, got nothing done.
  const worked = done.filter(({ iterations }) => iterations > 0);
  const toDone = worked.map(iterationsInAll).sort((a, b) => a - b);
  return {
    runs: runs.length,
    done: done.length,
    // Runs of several projects come a project after the other.
    first_at: timesOf(receipts, "started_at").at(0) ?? null,
    last_at: timesOf(receipts, "ended_at").at(-1) ?? null,
    ...cost,
    cost_per_done_usd: all === null || toDone.length === 0 ? null : roundMoney(all / toDone.length),
    iterations: receipts.reduce((sum, one) => sum + one.iterations, 0),
    iterations_to_done: spread(toDone),
    outcomes: outcomesOf(receipts),
    savings: questions
      .map((settings, index) => savingOf(runs, settings, index))
      .filter(
        ({ runs: saving, cut_working, cut_done, done_earlier }) => saving + cut_working + cut_done + done_earlier > 0,
      )
      .sort((a, b) => b.saved_usd - a.saved_usd || b.saved_iterations - a.saved_iterations || cutBy(a) - cutBy(b)),
  };
}

function cutBy({ cut_working, cut_done }: SavingRow): number {
  return cut_working + cut_done;
}

/** The known times in their order: ISO texts of UTC sort by themselves. */
function timesOf(receipts: readonly RunReceipt[], which: "started_at" | "ended_at"): string[] {
  return receipts.flatMap((one) => one[which] ?? []).sort();
}

function outcomesOf(receipts: readonly RunReceipt[]): OutcomeRow[] {
  const groups = Map.groupBy(receipts, ({ stop_reason }) => stop_reason);
  return [...groups]
    .map(([stop_reason, group]) => ({
      stop_reason,
      exit_code: group[0]?.exit_code ?? null,
      runs: group.length,
      ...costOfAll(group),
    }))
    .sort((a, b) => b.runs - a.runs || (usdOf(b) ?? 0) - (usdOf(a) ?? 0));
}

function savingOf(runs: readonly AskedRun[], settings: SettingChanges, index: number): SavingRow {
  const row = { settings, ...NOTHING_SAVED };
  for (const { receipt, report } of runs) {
    const answer = report?.what_if[index];
    if (report === null || answer === undefined || answer.end === null) row.unknown += 1;
    else if (answer.result === "same") row.same += 1;
    else if (isDone(answer.end)) row.done_earlier += 1;
    else if (isDone(receipt)) row.cut_done += 1;
    else if (broughtWork(answer.rest, report.recorded)) row.cut_working += 1;
    else {
      const { cost_usd, estimated_usd, iterations } = answer.rest;
      row.runs += 1;
      row.saved_usd = roundMoney(row.saved_usd + (cost_usd ?? estimated_usd ?? 0));
      row.saved_iterations += iterations;
    }
  }
  return row;
}

const NOTHING_SAVED = {
  runs: 0,
  saved_usd: 0,
  saved_iterations: 0,
  cut_working: 0,
  cut_done: 0,
  done_earlier: 0,
  unknown: 0,
  same: 0,
};

/** Commits and ticked boxes are work; in a run without any of them, changed files are. */
function broughtWork(rest: Course, all: Course): boolean {
  const isMeasured = all.commits + all.boxes_ticked > 0;
  return (isMeasured ? rest.commits + rest.boxes_ticked : rest.changing) > 0;
}

function spread(sorted: readonly number[]): RunStats["iterations_to_done"] {
  const [least] = sorted;
  const most = sorted.at(-1);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  return least === undefined || most === undefined || median === undefined ? null : { least, median, most };
}

function costOfAll(receipts: readonly RunReceipt[]): Cost {
  return receipts.reduce(addCost, { cost_usd: null });
}
