import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { count } from "../../core/text/count.ts";
import { checkpointsOf } from "../../effects/checkpoints/project-checkpoints.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { deleteRun, newestWithBeginning, runReceipt } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { dropPast, pastBefore } from "../../effects/worktrees/past.ts";
import { requireAgreedRuns } from "../agent/project-trust.ts";
import { wholeNumber } from "../args/whole-number.ts";
import { confirm } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import type { RunsPruneArgs } from "../definitions/runs.ts";
import { liveRun } from "../run/send-control.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph runs prune --keep N`: deletes all but the newest runs, after asking. It keeps the newest, whose fold is the
 * project's state, and any live run.
 * @throws RalphError `usage` without `--keep`, and without `--yes` if there is nobody to ask
 */
export async function run(context: CommandContext<RunsPruneArgs>): Promise<number> {
  const { args } = context;
  if (args.keep === undefined)
    throw new RalphError("usage", "How many runs should be kept?", { hint: "Say: ralph runs prune --keep 20" });
  const keep = wholeNumber("--keep", args.keep);
  const ralph = checkRalphDir(context.projectDir);
  requireAgreedRuns(context);
  const runsDir = join(ralph, "runs");
  const live = liveRun(ralph);
  const runs = listRuns(runsDir);
  const newest = newestWithBeginning(runsDir, runs);
  const old = runs.slice(0, -keep).filter((run) => run !== live && run !== newest);
  // Their journals and checkpoints go with the runs of their time.
  const past = old.length === 0 ? [] : pastBefore(context.projectDir, runs.at(-keep) ?? null);
  const size = old.reduce((sum, run) => sum + runReceipt(runsDir, run, false).bytes, 0);
  const what = `${count(old.length, "run")} (${byteSize(size)})`;
  if (old.length > 0 && !args.yes) {
    if (args.json || !canAsk(context))
      throw new RalphError("usage", `${what} would be deleted, and nobody can be asked.`, { hint: "Add --yes." });
    if (!(await confirm(`Delete ${what}, ${old[0]}${old.length > 1 ? ` to ${old.at(-1)}` : ""}?`))) return 0;
  }
  checkpointsOf(context.projectDir, context.env).drop(
    old,
    past.flatMap(({ refs }) => refs),
    live === null,
  );
  for (const one of past) dropPast(one);
  for (const run of old) deleteRun(runsDir, run);
  if (args.json) context.stdout(`${JSON.stringify({ deleted: old, bytes: size })}\n`);
  else if (!args.quiet) context.stdout(old.length === 0 ? "There is nothing to delete.\n" : `Deleted ${what}.\n`);
  return 0;
}
