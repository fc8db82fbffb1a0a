import { join } from "node:path";
import type { RunDiff } from "../../core/diff/run-diff.ts";
import { RalphError } from "../../core/errors.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { readCheckpointDiff } from "../../effects/project/run-diff.ts";
import { diffStatLines, diffTextLines } from "../../view/diff-lines.ts";
import { style } from "../../view/text/style.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { DiffArgs } from "../definitions/diff.ts";
import { openPlan, taskNumbered } from "../plan-file.ts";
import { chooseRun } from "../show/choose-run.ts";
import { findCheckpoint } from "../show/find-checkpoint.ts";
import { runDiff } from "../show/run-diff.ts";
import { taskDiff } from "../show/task-diff.ts";

/** Lines written before the reader must have caught up. */
const LINES_AT_ONCE = 2000;

/**
 * `ralph diff [RUN|A..B] [--iteration N] [--task TASK] [--stat] [--json]`: what a run or a task changed, or what lies between two
 * checkpoints.
 * @throws RalphError `environment` if there is no such run, iteration or task; `usage` for flags that exclude each other
 */
export async function run(context: CommandContext<DiffArgs>): Promise<number> {
  const { args, projectDir } = context;
  const runsDir = join(checkRalphDir(projectDir), "runs");
  const runs = listRuns(runsDir);
  const diff = await askedDiff(context, runsDir, runs);
  if (args.json) {
    context.stdout(jsonLine(diff));
    return 0;
  }
  if (diff.parts.length === 0 && !diff.commits_unreadable) {
    context.log.info(nothing(args, diff));
    return 0;
  }
  const width = context.isTty.stdout ? context.columns : Number.POSITIVE_INFINITY;
  const lines = (args.stat ? diffStatLines : diffTextLines)(diff, { style: style(context.color), width });
  // A patch with an escaped character would fit no file, or put the escape into it.
  const isPatch = !args.stat && !context.isTty.stdout;
  const write = isPatch ? context.raw : context.stdout;
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    write(`${lines.slice(at, at + LINES_AT_ONCE).join("\n")}\n`);
    await context.drained();
  }
  return 0;
}

function askedDiff(context: CommandContext<DiffArgs>, runsDir: string, runs: string[]): Promise<RunDiff> {
  const { run, iteration, task } = context.args;
  const isBetween = run?.includes("..") === true;
  if (task !== undefined && (isBetween || iteration !== undefined))
    throw new RalphError("usage", "--task names its iterations itself.", {
      hint: "Leave --iteration and the checkpoints out.",
    });
  if (isBetween) return betweenCheckpoints(context, runsDir, runs, run);
  if (task === undefined)
    return runDiff(context, run, iteration === undefined ? null : wholeNumber("--iteration", iteration));
  return taskDiff(context, /^\d+$/.test(task) ? taskNumbered(openPlan(context), "--task", task).text : task, run);
}

function nothing(args: CommandContext<DiffArgs>["args"], { iteration, run, task }: RunDiff): string {
  if (args.run?.includes("..")) return "The files are the same in both.";
  if (task !== undefined) return `The task "${singleLine(task)}" changed no file that is known.`;
  return `${iteration === null ? `Run ${run}` : `Iteration ${iteration}`} changed no file that is known.`;
}

/** `A..B` as `ralph checkpoints` names them; `A..` up to the files as they are now. */
async function betweenCheckpoints(
  { projectDir, env }: CommandContext<DiffArgs>,
  runsDir: string,
  runs: string[],
  asked: string,
): Promise<RunDiff> {
  const [from = "", to = ""] = asked.split("..");
  const newest = chooseRun(runs, newestWithBeginning(runsDir, runs) ?? undefined);
  const find = (name: string) => findCheckpoint(runsDir, runs, newest, name);
  return readCheckpointDiff(projectDir, env, find(from), to === "" ? null : find(to));
}
