import { join } from "node:path";
import { iterationsOfTask } from "../../core/checkpoints/checkpoint-list.ts";
import type { RunDiff } from "../../core/diff/run-diff.ts";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { readRunDiff } from "../../effects/project/run-diff.ts";
import type { CommandContext } from "../context.ts";
import { chooseRun } from "./choose-run.ts";
import { historyOf } from "./find-checkpoint.ts";
import { damageTeller } from "./journal-damage.ts";

/**
 * What the iterations of a task changed, in the newest run that worked on it, or in the one that is named.
 * @param task in its own words
 * @throws RalphError `environment` if no such run worked on it
 */
export async function taskDiff(
  { projectDir, env, log }: Pick<CommandContext, "projectDir" | "env" | "log">,
  task: string,
  asked?: string,
): Promise<RunDiff> {
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const runs = listRuns(runsDir);
  const looked = asked === undefined ? runs.toReversed() : [chooseRun(runs, asked)];
  const newest = newestWithBeginning(runsDir, runs);
  for (const run of looked) {
    const range = iterationsOfTask(historyOf(runsDir, run).work, task);
    if (range === null) continue;
    const events = journalEvents(join(runsDir, run, JOURNAL_FILE), { onBad: damageTeller(log) });
    const diff = await readRunDiff({ run, events, range, isNewest: run === newest, projectDir, env });
    if (diff !== null) return { ...diff, task };
  }
  const where = asked === undefined ? "No run" : `The run ${looked[0]} never`;
  throw new RalphError("environment", `${where} worked on the task ${JSON.stringify(task)}.`, {
    hint: "See the tasks and their numbers with: ralph plan",
  });
}
