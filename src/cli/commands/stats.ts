import { join } from "node:path";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { type AskedRun, isLoop, runStats, savingQuestions } from "../../core/what-if/run-stats.ts";
import { whatIf } from "../../core/what-if/what-if.ts";
import { createHost } from "../../effects/host.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { listProjects } from "../../effects/user/project-list.ts";
import { pastRunFolders } from "../../effects/worktrees/past.ts";
import { statsLines } from "../../view/stats-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { StatsArgs } from "../definitions/stats.ts";
import { liveRun } from "../run/send-control.ts";
import { damageTeller } from "../show/journal-damage.ts";

/**
 * `ralph stats [--all]`: how the kept runs of the loop ended, of this project or of all of this user's, and which settings would have saved
 * how much.
 */
export async function run(context: CommandContext<StatsArgs>): Promise<number> {
  const { args, projectDir, env } = context;
  const onBad = damageTeller(context.log);
  const projects = args.all ? listProjects(createHost(projectDir, env)) : [projectDir];
  const kept = projects.flatMap((project) => [
    ...keptLoops(project, onBad),
    // Those that are still there are projects of their own.
    ...(args.all ? pastRunFolders(project).flatMap((folder) => loopsIn(folder, null, onBad)) : []),
  ]);
  const questions = savingQuestions(kept.map(({ receipt }) => receipt));
  // One journal at a time: they may be large.
  const asked = kept.map(({ receipt, journal }): AskedRun => {
    const events = journalEvents(journal, { words: false, onBad });
    return { receipt, report: whatIf(events, questions) };
  });
  const stats = runStats(asked, questions);
  if (args.json) context.stdout(jsonLine(stats));
  else {
    const live = projects.some((project) => liveRun(checkRalphDir(project)) !== null);
    const lines = statsLines(stats, { style: style(context.color), width: context.rowColumns, live });
    context.stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}

function keptLoops(project: string, onBad: (journal: string) => void): { receipt: RunReceipt; journal: string }[] {
  const ralph = checkRalphDir(project);
  return loopsIn(join(ralph, "runs"), liveRun(ralph), onBad);
}

function loopsIn(
  runsDir: string,
  live: string | null,
  onBad: (journal: string) => void,
): { receipt: RunReceipt; journal: string }[] {
  return listRuns(runsDir)
    .filter((run) => run !== live)
    .map((run) => ({ receipt: runReceipt(runsDir, run, false, onBad), journal: join(runsDir, run, JOURNAL_FILE) }))
    .filter(({ receipt }) => isLoop(receipt.started_by));
}
