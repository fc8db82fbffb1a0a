import { join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { streamFile } from "../../effects/files/stream-file.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { reportLines } from "../../view/report/report-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { ReportArgs } from "../definitions/report.ts";
import { type RunReport, reportHtml, runReport, shortenerOf } from "../report/run-report.ts";
import { chooseTold, noBeginning } from "../show/choose-run.ts";
import { damageTeller } from "../show/journal-damage.ts";

/** The FILE that means stdout. */
const STDOUT = "-";

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
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const run = chooseTold(runsDir, args.run);
  const of = { projectDir, run, env: context.env, onBad: damageTeller(context.log) };
  const found = await runReport(of);
  const { report } = found;
  if (report.run === "") throw noBeginning(run);
  if (args.html === undefined) {
    context.stdout(args.json ? jsonLine(report) : `${text(context, found).join("\n")}\n`);
    return 0;
  }

  const page = reportHtml(found, of);
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

function text(context: CommandContext, { report, live }: RunReport): string[] {
  // A pipe or a file has no width, so nothing is cut.
  const width = context.isTty.stdout ? context.columns : Number.POSITIVE_INFINITY;
  return reportLines(report, { width, style: style(context.color), shorten: shortenerOf(report), live });
}
