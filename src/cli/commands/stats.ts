import { join } from "node:path";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleLine } from "../../core/text/plain-text.ts";
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
import type { Log } from "../log.ts";
import { liveRun } from "../run/send-control.ts";
import { damageTeller } from "../show/journal-damage.ts";

/**
 * `ralph stats [--all]`: how the kept runs of the loop ended, of this project or of all of this user's, and which settings would have saved
 * how much.
 */
export async function run(context: CommandContext<StatsArgs>): Promise<number> {
  const { args, projectDir, env } = context;
  const onBad = damageTeller(context.log);
  const tried = <T>(place: string, read: () => T): T | null => (args.all ? orWarn(context.log, place, read) : read());
  const projects = args.all ? listProjects(createHost(projectDir, env)) : [projectDir];
  const found = projects.flatMap((project) => tried(project, () => [keptIn(project, args.all, onBad)]) ?? []);
  const kept = found.flatMap(({ kept }) => kept);
  const questions = savingQuestions(kept.map(({ receipt }) => receipt));
  // One journal at a time: they may be large.
  const asked = kept.flatMap(({ receipt, journal }): AskedRun[] => {
    const events = journalEvents(journal, { words: false, onBad });
    const report = tried(journal, () => ({ receipt, report: whatIf(events, questions) }));
    return report === null ? [] : [report];
  });
  const stats = runStats(asked, questions);
  if (args.json) context.stdout(jsonLine(stats));
  else {
    const live = found.some(({ live }) => live !== null);
    const lines = statsLines(stats, { style: style(context.color), width: context.rowColumns, live });
    context.stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}

/** Of many projects one that cannot be read, such as one of a newer ralph, is left out with a word, as `ralph ps` does. */
function orWarn<T>(log: Log, place: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    log.warn(`${singleLine(place)} cannot be read: ${reasonOf(error)}`);
    return null;
  }
}

type KeptRun = { receipt: RunReceipt; journal: string };

/** @param past whether those of removed worktrees count, too; those that are still there are projects of their own */
function keptIn(
  project: string,
  past: boolean,
  onBad: (journal: string) => void,
): { live: string | null; kept: KeptRun[] } {
  const ralph = checkRalphDir(project);
  const live = liveRun(ralph);
  const folders = past ? pastRunFolders(project) : [];
  const kept = [
    ...loopsIn(join(ralph, "runs"), live, onBad),
    ...folders.flatMap((folder) => loopsIn(folder, null, onBad)),
  ];
  return { live, kept };
}

function loopsIn(runsDir: string, live: string | null, onBad: (journal: string) => void): KeptRun[] {
  return listRuns(runsDir)
    .filter((run) => run !== live)
    .map((run) => ({ receipt: runReceipt(runsDir, run, false, onBad), journal: join(runsDir, run, JOURNAL_FILE) }))
    .filter(({ receipt }) => isLoop(receipt.started_by));
}
