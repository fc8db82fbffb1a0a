import { RalphError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";

/**
 * The run that is meant by a name, the beginning of one, or a number.
 * @param runs all there are, oldest first
 * @param wanted undefined for the newest
 * @throws RalphError `environment` if there is none
 */
export function chooseRun(runs: readonly string[], wanted: string | undefined): string {
  const newest = runs.at(-1);
  if (newest === undefined)
    throw new RalphError("environment", "There is no run here yet.", { hint: "Start one with: ralph run" });
  if (wanted === undefined) return newest;
  const matching = runs.filter(
    (run) => run === wanted || run.startsWith(wanted) || Number(run.slice(0, 4)) === Number(wanted),
  );
  if (matching.length === 1 && matching[0] !== undefined) return matching[0];
  throw new RalphError("environment", `There is no run ${JSON.stringify(wanted)}.${didYouMean(wanted, runs)}`, {
    hint: `The newest one is ${newest}.`,
  });
}
