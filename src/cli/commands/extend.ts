import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_FILE, readJournal } from "../../effects/journal-read.ts";
import { checkRalphDir } from "../../effects/project-files.ts";
import { count } from "../../view/figures.ts";
import type { CommandContext } from "../context.ts";
import type { EXTEND } from "../definitions.ts";
import { liveRun, tellAndSay } from "../live-run.ts";

/**
 * `ralph extend [N]`: N more iterations than MAX_ITERATIONS allows.
 * @throws RalphError `usage` if N is no number, `environment` if the run has no such bound
 */
export async function run(context: CommandContext<typeof EXTEND.args>): Promise<number> {
  const iterations = numberOf(context.args.iterations ?? "1");
  if (!isBounded(context.projectDir))
    throw new RalphError("environment", "The run has no bound on iterations that could be raised.", {
      hint: "Such a bound is given by: ralph run --max-iterations N",
    });
  const sentence = `The run may make ${count(iterations, "more iteration", "more iterations")}.`;
  return tellAndSay(context, { command: "extend", iterations }, sentence);
}

function numberOf(text: string): number {
  const n = /^\d+$/.test(text) ? Number(text) : 0;
  if (n >= 1 && n <= 1000) return n;
  throw new RalphError("usage", `${JSON.stringify(text)} is no number of iterations from 1 to 1000.`);
}

/** The first line of a journal has the settings of its run; where none lives, that is said elsewhere. */
function isBounded(project: string): boolean {
  const ralph = checkRalphDir(project);
  const run = liveRun(ralph);
  if (run === null) return true;
  for (const line of readJournal(join(ralph, "runs", run, JOURNAL_FILE)))
    return !("event" in line) || line.event.type !== "run_started" || line.event.settings.MAX_ITERATIONS !== null;
  return true;
}
