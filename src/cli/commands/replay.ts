import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { parseChanges } from "../../core/what-if/parse-changes.ts";
import { isLoop } from "../../core/what-if/run-stats.ts";
import { whatIf } from "../../core/what-if/what-if.ts";
import { JOURNAL_FILE, journalEvents } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { style } from "../../view/text/style.ts";
import { whatIfLines } from "../../view/what-if-lines.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import { openReplayDashboard } from "../dashboard/replay-dashboard.ts";
import type { ReplayArgs } from "../definitions/replay.ts";
import { onSignals } from "../run/signals.ts";
import { chooseTold, noBeginning } from "../show/choose-run.ts";
import { damageTeller } from "../show/journal-damage.ts";
import { replayLines } from "../show/replay-lines.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph replay [RUN]`: plays a run back in lines or on the dashboard, by the view that showed it. Off a terminal it
 * prints what `ralph run` printed, without pauses unless a speed is given. With `--what-if` it plays nothing, and tells where
 * the run would have ended under other settings.
 * @throws RalphError `usage` for `--step` without a terminal, or a bad setting; `environment` for `--monitor` without one, or for an
 *   unknown run or iteration
 */
export async function run(context: CommandContext<ReplayArgs>): Promise<number> {
  const { args } = context;
  if (args["what-if"].length > 0) return askWhatIf(context);
  if (args.json)
    throw new RalphError("usage", "--json is for --what-if.", { hint: "The lines of the journal: ralph logs --json" });
  const isTerminal = canAsk(context);
  if (args.monitor && !isTerminal)
    throw new RalphError("environment", "The dashboard needs a terminal.", { hint: "Leave --monitor out." });
  if (args.step && !isTerminal)
    throw new RalphError("usage", "--step needs a terminal, whose keys it waits for.", { hint: "Leave it out." });
  const speed = speedOf(args.speed, isTerminal);
  const from = args.iteration === undefined ? null : wholeNumber("--iteration", args.iteration);
  const runsDir = join(checkRalphDir(context.projectDir), "runs");
  const run = chooseTold(runsDir, args.run);
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
          events: journalEvents(path, { onBad: damageTeller(context.log) }),
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

/** What a recorded run would have done under other settings, in text or JSON. */
async function askWhatIf(context: CommandContext<ReplayArgs>): Promise<number> {
  const { args, projectDir } = context;
  const changes = parseChanges(args["what-if"]);
  if ("message" in changes) throw new RalphError("usage", changes.message, { hint: changes.hint });
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const run = chooseTold(runsDir, args.run);
  const onBad = damageTeller(context.log);
  const report = whatIf(journalEvents(join(runsDir, run, JOURNAL_FILE), { words: false, onBad }), [changes]);
  if (report === null) throw noBeginning(run);
  const { started_by, recorded, what_if } = report;
  if (!isLoop(started_by))
    throw new RalphError("environment", `Run ${run} is no run of the loop but of ralph ${started_by}.`, {
      hint: "See which runs there are: ralph runs",
    });
  if (args.json) context.stdout(jsonLine({ run: report.run, recorded, what_if: what_if[0] }));
  else {
    const lines = whatIfLines(report, { style: style(context.color), width: context.rowColumns });
    context.stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}

/** @returns false if there is no such iteration to start from */
async function onDashboard(
  { args, color, projectDir, log }: CommandContext<ReplayArgs>,
  place: { path: string; speed: number; from: number | null },
  ended: Promise<void>,
): Promise<boolean> {
  const dashboard = openReplayDashboard({ ...place, project: projectDir, color, isPaused: args.step ?? false });
  if (dashboard === null) return false;
  try {
    await Promise.race([dashboard.closed, ended]);
  } finally {
    dashboard.close();
    if (dashboard.isDamaged) damageTeller(log)(place.path);
  }
  return true;
}

function speedOf(text: string | undefined, isTerminal: boolean): number | null {
  if (text === undefined) return isTerminal ? 1 : null;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (speed > 0) return speed;
  throw new RalphError("usage", `--speed must be a number above 0, not ${JSON.stringify(text)}.`);
}
