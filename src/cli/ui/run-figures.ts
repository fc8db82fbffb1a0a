import { join } from "node:path";
import { steadyClock, systemClock } from "../../effects/clock.ts";
import { newestRun } from "../../effects/journal/journal-read.ts";
import { charts } from "../../view/report/charts.ts";
import { overview, title } from "../../view/report/summary.ts";
import { tables } from "../../view/report/tables.ts";
import { runNow } from "../../view/ui/run-now.ts";
import { nextAfter } from "../show/project-next.ts";
import { statusNow } from "../show/status-now.ts";
import type { RunReading } from "./run-reading.ts";

/** Which run is the newest is in a folder of all of them, maybe thousands. */
const NEWEST_MS = 1000;
/** Figures and charts of a long run are large: they are drawn at most so often, and seldom while nothing but time passes. */
const OVERVIEW_MS = 1000;
const SAME_OVERVIEW_MS = 10_000;

/** The parts of a run's page beside its iterations, as HTML. */
export type RunFigures = { head: string; now: string; overview: string };

/**
 * Makes what draws them, most of them seldom.
 * @returns draws; `fault`: why the run can no longer be followed. Throws where its plan or lock is no file that can be read
 */
export function createRunFigures(project: string, run: string): (of: RunReading, fault: string | null) => RunFigures {
  let drawn: { html: Omit<RunFigures, "now">; of: string; at: number } | null = null;
  let newest = { isThis: true, lookedAt: Number.NEGATIVE_INFINITY };

  function isNewestAt(at: number): boolean {
    if (at - newest.lookedAt >= NEWEST_MS)
      newest = { isThis: newestRun(join(project, ".ralph", "runs")) === run, lookedAt: at };
    return newest.isThis;
  }

  return (reading, fault) => {
    const { state, seq, badLines, tag } = reading.facts();
    const now = systemClock.now();
    const at = steadyClock.now();
    const status = statusNow(project, state, now);
    const isNewest = isNewestAt(at);
    const live = status.pid !== null;
    const of = JSON.stringify([seq, live, isNewest]);
    if (drawn === null || at - drawn.at >= (of === drawn.of ? SAME_OVERVIEW_MS : OVERVIEW_MS)) {
      const report = reading.report(live);
      // What needs a person stands in its own part, where it can be answered.
      report.next = isNewest ? nextAfter(project, { state, alive: live }, now) : null;
      const html = {
        head: `${title(report)}</header>`,
        overview: overview(report, live) + charts(report) + tables(report),
      };
      drawn = { html, of, at };
    }
    return { ...drawn.html, now: runNow(status, { isNewest, badLines, fault, tag, now }) };
  };
}
