import { join } from "node:path";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { type AskedRun, isLoop, runStats, savingQuestions } from "../../core/what-if/run-stats.ts";
import { whatIf } from "../../core/what-if/what-if.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { statsLines } from "../../view/stats-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { StatsArgs } from "../definitions/stats.ts";
import { liveRun } from "../run/send-control.ts";

/** `ralph stats`: how the kept runs of the loop ended, and which settings would have saved how much. */
export async function run(context: CommandContext<StatsArgs>): Promise<number> {
  const ralph = checkRalphDir(context.projectDir);
  const runsDir = join(ralph, "runs");
  const live = liveRun(ralph);
  const receipts = listRuns(runsDir)
    .filter((run) => run !== live)
    .map((run) => runReceipt(runsDir, run, false))
    .filter(({ started_by }) => isLoop(started_by));
  const questions = savingQuestions(receipts);
  // One journal at a time: they may be large.
  const asked = receipts.map((receipt): AskedRun => {
    const events = journalEvents(join(runsDir, receipt.run, JOURNAL_FILE), { words: false });
    return { receipt, report: whatIf(events, questions) };
  });
  const stats = runStats(asked, questions);
  if (context.args.json) context.stdout(jsonLine(stats));
  else {
    const lines = statsLines(stats, { style: style(context.color), width: context.rowColumns });
    context.stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}
