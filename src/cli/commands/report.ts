import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import pageStyle from "../../../templates/report/page.css" with { type: "text" };
import script from "../../../templates/report/page-script.txt" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import { foldsCase } from "../../core/project-path.ts";
import { buildReport } from "../../core/report/build-report.ts";
import type { Report } from "../../core/report/report-types.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { systemClock } from "../../effects/clock.ts";
import { streamFile } from "../../effects/files/stream-file.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { reportPage } from "../../view/report/page.ts";
import { reportLines } from "../../view/report/report-lines.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { ReportArgs } from "../definitions/report.ts";
import { liveRun } from "../run/send-control.ts";
import { chooseRun } from "../show/choose-run.ts";
import { damageTeller } from "../show/journal-damage.ts";
import { projectNeeds } from "../show/project-needs.ts";
import { projectNext } from "../show/project-next.ts";

/** The FILE that means stdout. */
const STDOUT = "-";
const foldCase = foldsCase(process.platform);

/**
 * `ralph report [RUN]`: receipts per iteration, per task and in total, as text, JSON or one HTML page.
 * @throws RalphError `environment` for an unknown or unreadable run, or a page that cannot be written; `usage` if two
 *   documents would go to stdout
 */
export async function run(context: CommandContext<ReportArgs>): Promise<number> {
  const { projectDir, args } = context;
  const toStdout = args.html === STDOUT;
  if (toStdout && args.json)
    throw new RalphError("usage", "--json and --html - would both write to stdout.", {
      hint: "Leave one of them out.",
    });
  const ralph = checkRalphDir(projectDir);
  const runsDir = join(ralph, "runs");
  const runs = listRuns(runsDir);
  const run = chooseRun(runs, args.run ?? newestWithBeginning(runsDir, runs) ?? undefined);
  const journal = join(runsDir, run, JOURNAL_FILE);
  const onBad = damageTeller(context.log);
  const live = liveRun(ralph) === run;
  const now = live ? new Date(systemClock.now()).toISOString() : undefined;
  const report = buildReport(journalEvents(journal, { words: false, onBad }), { foldCase, now });
  await nameCommits(report, context);
  if (run === runs.at(-1)) {
    report.needs = await projectNeeds(projectDir);
    report.next = await projectNext(projectDir, systemClock.now());
  }
  if (report.run === "")
    throw new RalphError("environment", `The journal of run ${run} has no beginning that can be read.`, {
      hint: "See which runs there are: ralph runs",
    });
  if (args.html === undefined) {
    context.stdout(args.json ? jsonLine(report) : `${text(context, report, live).join("\n")}\n`);
    return 0;
  }

  const options = { style: pageStyle, script, hash: sha256, shorten: shortenerOf(report), live };
  const page = reportPage(report, journalEvents(journal, { onBad }), options);
  if (toStdout) {
    for (const piece of page) {
      context.stdout(piece);
      await context.drained();
    }
    return 0;
  }
  const file = resolve(projectDir, args.html);
  streamFile(file, page);
  if (args.json) context.stdout(jsonLine(report));
  else if (!args.quiet) context.stdout(`${file}\n`);
  return 0;
}

/** Reads the subjects that the journal lacks from the repository, as far as it still has the commits. */
async function nameCommits({ iterations }: Report, { projectDir, env }: CommandContext<ReportArgs>): Promise<void> {
  const unnamed = iterations.flatMap((row) => row.commit_subjects).filter(({ subject }) => subject === null);
  if (unnamed.length === 0 || !existsSync(projectDir)) return;
  const { subject } = createWorkspace(projectDir, { env });
  for (const commit of unnamed) commit.subject = await subject(commit.id);
}

function text(context: CommandContext, report: Report, live: boolean): string[] {
  // A pipe or a file has no width, so nothing is cut.
  const width = context.isTty.stdout ? context.columns : Number.POSITIVE_INFINITY;
  return reportLines(report, { width, style: style(context.color), shorten: shortenerOf(report), live });
}

function shortenerOf({ project }: Report) {
  return shortener(project, foldCase);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
