import { join } from "node:path";
import type { RunDiff } from "../../core/diff/run-diff.ts";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { readRunDiff } from "../../effects/project/run-diff.ts";
import type { CommandContext } from "../context.ts";
import { chooseRun } from "./choose-run.ts";
import { damageTeller } from "./journal-damage.ts";

/**
 * What a run changed, or one iteration of it.
 * @param asked undefined for the newest run
 * @param iteration null for the whole run
 * @throws RalphError `environment` if there is no such run or iteration
 */
export async function runDiff(
  { projectDir, env, log }: Pick<CommandContext, "projectDir" | "env" | "log">,
  asked: string | undefined,
  iteration: number | null,
): Promise<RunDiff> {
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const runs = listRuns(runsDir);
  const newest = newestWithBeginning(runsDir, runs);
  const run = chooseRun(runs, asked ?? newest ?? undefined);
  const range = iteration === null ? null : { first: iteration, last: iteration };
  const events = journalEvents(join(runsDir, run, JOURNAL_FILE), { onBad: damageTeller(log) });
  const diff = await readRunDiff({ run, events, range, isNewest: run === newest, projectDir, env });
  if (diff !== null) return diff;
  throw new RalphError("environment", `The run ${run} has no iteration ${iteration}.`, {
    hint: "See which it has with: ralph report",
  });
}
