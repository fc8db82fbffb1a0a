import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import marksScript from "../../../templates/report/marks-script.txt" with { type: "text" };
import pageStyle from "../../../templates/report/page.css" with { type: "text" };
import pageScript from "../../../templates/report/page-script.txt" with { type: "text" };
import type { EventBody, RalphEvent } from "../../core/journal/event.ts";
import { foldsCase } from "../../core/project-path.ts";
import { buildReport } from "../../core/report/build-report.ts";
import type { Report } from "../../core/report/report-types.ts";
import { systemClock } from "../../effects/clock.ts";
import { JOURNAL_FILE, journalEvents, newestRun } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { ENDED_BEFORE } from "../../run/recovery.ts";
import { reportPage } from "../../view/report/page.ts";
import { type Shorten, shortener } from "../../view/text/path.ts";
import { projectState } from "../project-state.ts";
import { liveRun } from "../run/send-control.ts";
import { projectNeeds } from "../show/project-needs.ts";
import { projectNext } from "../show/project-next.ts";
import { planNow } from "../show/status-now.ts";

const foldCase = foldsCase(process.platform);

export type ReportOf = {
  projectDir: string;
  run: string;
  env: NodeJS.ProcessEnv;
  /** Called with the journal's path at each line that cannot be used. */
  onBad?: (path: string) => void;
};
/** A report, and whether its run lives. */
export type RunReport = { report: Report; live: boolean };

/** What came of a run, from its journal; with what needs a person and what to do next if it is the project's newest. */
export async function runReport({ projectDir, run, env, onBad }: ReportOf): Promise<RunReport> {
  const ralph = checkRalphDir(projectDir);
  const live = liveRun(ralph) === run;
  const now = live ? new Date(systemClock.now()).toISOString() : undefined;
  const isNewest = run === newestRun(join(ralph, "runs"));
  const events = journalEvents(journalOf(projectDir, run), { words: false, ...(onBad && { onBad }) });
  const report = buildReport(isNewest && !live ? await brokenOff(events, projectDir) : events, { foldCase, now });
  await nameCommits(report, projectDir, env);
  if (isNewest) {
    report.needs = await projectNeeds(projectDir);
    report.next = await projectNext(projectDir, systemClock.now());
  }
  return { report, live };
}

/** With the end that the next run will give an iteration whose ralph was killed. */
async function brokenOff(events: Iterable<RalphEvent>, projectDir: string): Promise<Iterable<RalphEvent>> {
  const { state } = await projectState(projectDir);
  const { open, task } = state;
  if (open === null) return events;
  const plan = task === null ? (planNow(projectDir, state)?.plan.counts ?? null) : null;
  return withEnd(events, { type: "iteration_interrupted", number: open.number, why: ENDED_BEFORE, plan });
}

function* withEnd(events: Iterable<RalphEvent>, end: EventBody): Generator<RalphEvent> {
  let last: RalphEvent | null = null;
  for (const event of events) {
    last = event;
    yield event;
  }
  if (last === null) return;
  const { v, seq, at, run, iteration } = last;
  yield { v, seq, at, run, iteration, ...end };
}

/** The report as one HTML page, piece by piece: a long run is never whole in memory. */
export function reportHtml({ report, live }: RunReport, { projectDir, run, onBad }: ReportOf): Iterable<string> {
  const events = journalEvents(journalOf(projectDir, run), onBad && { onBad });
  const script = marksScript + pageScript;
  return reportPage(report, events, { style: pageStyle, script, hash: sha256, shorten: shortenerOf(report), live });
}

export function shortenerOf({ project }: Report): Shorten {
  return shortener(project, foldCase);
}

function journalOf(projectDir: string, run: string): string {
  return join(checkRalphDir(projectDir), "runs", run, JOURNAL_FILE);
}

/** Reads the subjects that the journal lacks from the repository, as far as it still has the commits. */
async function nameCommits({ iterations }: Report, projectDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const unnamed = iterations.flatMap((row) => row.commit_subjects).filter(({ subject }) => subject === null);
  if (unnamed.length === 0 || !existsSync(projectDir)) return;
  const { subject } = createWorkspace(projectDir, { env });
  for (const commit of unnamed) commit.subject = await subject(commit.id);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
