import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { START_RUN_HINT } from "../../core/text/hints.ts";
import { hasEvents, JOURNAL_FILE, listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";

/**
 * The run with this name, the beginning of its name, or its number.
 * @param runs all runs, oldest first
 * @param wanted undefined for the newest
 * @throws RalphError `environment` if there is none
 */
export function chooseRun(runs: readonly string[], wanted: string | undefined): string {
  const newest = runs.at(-1);
  if (newest === undefined) throw new RalphError("environment", "There is no run here yet.", { hint: START_RUN_HINT });
  if (wanted === undefined) return newest;
  const hint = `The newest one is ${newest}.`;
  const named = runs.find(
    (run) => run === wanted || (/^\d+$/.test(wanted) && Number.parseInt(run, 10) === Number(wanted)),
  );
  if (named !== undefined) return named;
  const [first, another] = wanted === "" ? [] : runs.filter((run) => run.startsWith(wanted));
  if (another !== undefined)
    throw new RalphError("environment", `Several runs begin with ${JSON.stringify(wanted)}.`, { hint });
  if (first !== undefined) return first;
  throw new RalphError("environment", `There is no run ${JSON.stringify(wanted)}.${didYouMean(wanted, runs)}`, {
    hint,
  });
}

/**
 * The run with this name; without one the newest whose journal begins: a kill before its first line leaves one that tells nothing.
 * @throws RalphError as `chooseRun`; `environment` for one that tells nothing
 */
export function chooseTold(runsDir: string, wanted: string | undefined): string {
  const runs = listRuns(runsDir);
  const run = chooseRun(runs, wanted ?? newestWithBeginning(runsDir, runs) ?? undefined);
  if (!hasEvents(join(runsDir, run, JOURNAL_FILE))) throw noBeginning(run);
  return run;
}

/** Why nothing can be told of a run. */
export function noBeginning(run: string): RalphError {
  return new RalphError("environment", `The journal of run ${run} has no beginning that can be read.`, {
    hint: "See which runs there are: ralph runs",
  });
}
