import { join } from "node:path";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { systemClock } from "../../effects/clock.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { runLines } from "../../view/runs.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { liveRun } from "../run/send-control.ts";
import { damageTeller } from "../show/journal-damage.ts";

/** `ralph runs`: the runs that are kept, and how each ended. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const ralph = checkRalphDir(context.projectDir);
  const runsDir = join(ralph, "runs");
  const live = liveRun(ralph);
  const onBad = damageTeller(context.log);
  const runs = listRuns(runsDir).map((run) => runReceipt(runsDir, run, run === live, onBad));
  if (context.args.json) context.stdout(jsonLine({ runs }));
  else {
    const now = new Date(systemClock.now()).toISOString();
    const options = { style: style(context.color), width: context.rowColumns, now };
    context.stdout(`${runLines(runs, options).join("\n")}\n`);
  }
  return 0;
}
