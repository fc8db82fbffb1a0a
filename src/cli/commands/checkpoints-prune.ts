import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { count } from "../../core/text/count.ts";
import { checkpointsOf } from "../../effects/checkpoints/project-checkpoints.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { pastBefore } from "../../effects/worktrees/past.ts";
import { wholeNumber } from "../args/whole-number.ts";
import { confirm } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import type { CheckpointsPruneArgs } from "../definitions/checkpoints.ts";
import { liveRun } from "../run/send-control.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph checkpoints prune --keep N`: deletes the checkpoints of all but the newest runs, and of worktrees that were removed before those, after asking.
 * @throws RalphError `usage` without `--keep`, and without `--yes` if there is nobody to ask
 */
export async function run(context: CommandContext<CheckpointsPruneArgs>): Promise<number> {
  const { args, projectDir, env } = context;
  if (args.keep === undefined)
    throw new RalphError("usage", "Of how many runs should the checkpoints be kept?", {
      hint: "Say: ralph checkpoints prune --keep 5",
    });
  const ralph = checkRalphDir(projectDir);
  const kept = checkpointsOf(projectDir, env);
  const keep = wholeNumber("--keep", args.keep);
  const runs = listRuns(join(ralph, "runs"));
  const old = runs.slice(0, -keep).filter((run) => run !== liveRun(ralph) && kept.isKept(run));
  const past = pastBefore(projectDir, runs.at(-keep) ?? null).filter(({ refs }) => kept.isKeptUnder(refs));
  const what = `the checkpoints of ${[
    ...(old.length > 0 || past.length === 0 ? [count(old.length, "run")] : []),
    ...(past.length === 0 ? [] : [count(past.length, "removed worktree")]),
  ].join(" and ")}`;
  const isNone = old.length + past.length === 0;
  if (!isNone && !args.yes) {
    if (args.json || !canAsk(context))
      throw new RalphError("usage", `Nobody can be asked whether to delete ${what}.`, { hint: "Add --yes." });
    if (!(await confirm(`Delete ${what}?`))) return 0;
  }
  kept.drop(
    old,
    past.flatMap(({ refs }) => refs),
    liveRun(ralph) === null,
  );
  if (args.json) context.stdout(`${JSON.stringify({ deleted: old })}\n`);
  else if (!args.quiet) context.stdout(isNone ? "There is nothing to delete.\n" : `Deleted ${what}.\n`);
  return 0;
}
