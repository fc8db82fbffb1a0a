import { join } from "node:path";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { checkpointsOf } from "../../effects/checkpoints/project-checkpoints.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { checkpointLines } from "../../view/checkpoint-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { CheckpointsListArgs } from "../definitions/checkpoints.ts";
import { chooseRun } from "../show/choose-run.ts";
import { historyOf } from "../show/find-checkpoint.ts";

/**
 * `ralph checkpoints [RUN]`: the files that a run kept, before and after each iteration.
 * @throws RalphError `environment` if there is no such run
 */
export async function run(context: CommandContext<CheckpointsListArgs>): Promise<number> {
  const { args, projectDir, env } = context;
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const runs = listRuns(runsDir);
  const newest = newestWithBeginning(runsDir, runs);
  const run = chooseRun(runs, args.run ?? newest ?? undefined);
  const { has, isKept } = checkpointsOf(projectDir, env);
  const rows = await Promise.all(
    historyOf(runsDir, run).checkpoints.map(async (one) => ({ ...one, gone: !(await has(one.commit)) })),
  );
  if (args.json) context.stdout(jsonLine({ run, checkpoints: rows }));
  else {
    const look = { style: style(context.color), width: context.rowColumns };
    const lines = checkpointLines({ run, isNewest: run === newest }, rows, look);
    context.stdout(`${lines.join("\n")}\n`);
    if (rows.some(({ gone }) => !gone) && !isKept(run))
      context.log.warn("The refs of these checkpoints were deleted: git may remove the files with its next gc.");
  }
  return 0;
}
