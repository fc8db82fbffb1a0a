import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { ReplayArgs } from "../definitions/replay.ts";
import { onSignals } from "../run/signals.ts";
import { chooseRun } from "../show/choose-run.ts";
import { openReplayDashboard } from "../show/replay-dashboard.ts";
import { replayLines } from "../show/replay-lines.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph replay [RUN]`: plays a run back in lines or on the dashboard, by the view that showed it. Off a terminal it
 * prints what `ralph run` printed, without pauses unless a speed is given.
 * @throws RalphError `usage` for `--step` without a terminal; `environment` for `--monitor` without one, or for an
 *   unknown run or iteration
 */
export async function run(context: CommandContext<ReplayArgs>): Promise<number> {
  const { args } = context;
  const isTerminal = canAsk(context);
  if (args.monitor && !isTerminal)
    throw new RalphError("environment", "The dashboard needs a terminal.", { hint: "Leave --monitor out." });
  if (args.step && !isTerminal)
    throw new RalphError("usage", "--step needs a terminal, whose keys it waits for.", { hint: "Leave it out." });
  const speed = speedOf(args.speed, isTerminal);
  const from = args.iteration === undefined ? null : wholeNumber("--iteration", args.iteration);
  const runsDir = join(checkRalphDir(context.projectDir), "runs");
  const run = chooseRun(listRuns(runsDir), args.run);
  const path = join(runsDir, run, JOURNAL_FILE);
  let signalled: number | null = null;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const release = onSignals((_, code) => {
    signalled = code;
    end();
  });
  try {
    const began = args.monitor
      ? await onDashboard(context, { path, speed: speed ?? 1, from }, ended)
      : await replayLines(context, {
          events: journalEvents(path),
          isTerminal,
          speed,
          from,
          isEnded: () => signalled !== null,
        });
    if (!began)
      throw new RalphError("environment", `The run ${run} has no iteration ${from}.`, {
        hint: "See which it has with: ralph report",
      });
    return signalled ?? 0;
  } finally {
    release();
  }
}

/** @returns false if there is no such iteration to start from */
async function onDashboard(
  { args, color, projectDir }: CommandContext<ReplayArgs>,
  place: { path: string; speed: number; from: number | null },
  ended: Promise<void>,
): Promise<boolean> {
  const dashboard = openReplayDashboard({ ...place, project: projectDir, color, isPaused: args.step ?? false });
  if (dashboard === null) return false;
  try {
    await Promise.race([dashboard.closed, ended]);
  } finally {
    dashboard.close();
  }
  return true;
}

function speedOf(text: string | undefined, isTerminal: boolean): number | null {
  if (text === undefined) return isTerminal ? 1 : null;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (speed > 0) return speed;
  throw new RalphError("usage", `--speed must be a number above 0, not ${JSON.stringify(text)}.`);
}
