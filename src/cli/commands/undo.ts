import { realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type Checkpoint,
  type CheckpointHistory,
  lastChangeBefore,
  stepsOfTask,
} from "../../core/checkpoints/checkpoint-list.ts";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import type { EventOf } from "../../core/journal/event.ts";
import { parsePlan } from "../../core/plan/fix-plan.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { START_RUN_HINT } from "../../core/text/hints.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { containsPath } from "../../effects/files/contains-path.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { createHost } from "../../effects/host.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { newestWithBeginning } from "../../effects/journal/run-list.ts";
import { checkRalphDir, projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { type TaskUndo, undoTask, undoTo } from "../../run/jobs/undo.ts";
import type { Run } from "../../run/run.ts";
import { markTask } from "../../setup/plan/edit-plan.ts";
import { describeCheckpoint, undoneLines } from "../../view/checkpoint-lines.ts";
import { style } from "../../view/text/style.ts";
import { projectItems, requireTrust } from "../agent/project-trust.ts";
import { askedHere } from "../agent/run-trust.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { UndoArgs } from "../definitions/undo.ts";
import { loadSettings } from "../load-settings.ts";
import { openPlan, type PlanFile, taskNumbered } from "../plan-file.ts";
import { recordInNewestRun } from "../reset.ts";
import { refuseAgents } from "../run/send-control.ts";
import { findCheckpoint, historyOf } from "../show/find-checkpoint.ts";

/**
 * `ralph undo [N] [--to NAME] [--task TASK]`: makes the files as a checkpoint has them, or takes a task out of them, after a checkpoint of
 * now.
 * @returns 0; 1 if some file could not be given back, or a gate is red
 * @throws RalphError `environment` while a run is live, if an agent asks, without such a checkpoint, or if later work stands in the way
 */
export async function run(context: CommandContext<UndoArgs>): Promise<number> {
  const { args, projectDir } = context;
  const ralph = checkRalphDir(projectDir);
  if (refuseAgents(context, ralph) !== null)
    throw new RalphError("environment", "A run is live in this project: its agent works on these files.", {
      hint: "Stop it first: ralph stop --now",
    });
  const runsDir = join(ralph, "runs");
  const runs = listRuns(runsDir);
  const newest = newestWithBeginning(runsDir, runs);
  if (newest === null) throw new RalphError("environment", "There is no run here yet.", { hint: START_RUN_HINT });
  const history = historyOf(runsDir, newest);
  const name = `undo-${history.nextUndo}`;
  const { undone, red, what, lost } =
    args.task === undefined
      ? await toCheckpoint(context, name, {
          target: target(args, { runsDir, runs, newest, history }),
          since: history.left,
        })
      : await withoutTask(context, name, args.task, { runsDir, runs });
  const { to, task, kept, written, deleted, set_aside, left, changed_since = [] } = undone;
  if (args.json)
    context.stdout(
      jsonLine({ run: newest, to, task: task ?? null, kept, written, deleted, set_aside, left, changed_since, red }),
    );
  else if (!args.quiet) {
    const isStep = args.task === undefined && args.to === undefined;
    const further = isStep ? lastChangeBefore(history, numberOf(args.iteration) ?? history.lastIteration ?? 0) : null;
    const lines = undoneLines(
      undone,
      { what, red, further, lost },
      { style: style(context.color), width: context.rowColumns },
    );
    context.stdout(`${lines.join("\n")}\n`);
  }
  return left.length === 0 && red.length === 0 ? 0 : 1;
}

/** `lost`: tasks of the plan that went along with what somebody changed in it. */
type Undo = { undone: EventOf<"undone">; red: string[]; what: string; lost: string[] };

async function toCheckpoint(
  context: CommandContext<UndoArgs>,
  name: string,
  about: { target: Checkpoint; since: Checkpoint | null },
): Promise<Undo> {
  const { target } = about;
  const before = planNow(context);
  const undone = await recordInNewestRun(context, (run) => undoTo(run, about, name));
  const isChanged = before !== null && undone.changed_since?.includes(before.place) === true;
  const after = new Set(isChanged ? planNow(context)?.tasks : []);
  const lost = isChanged ? before.tasks.filter((task) => !after.has(task)) : [];
  return { undone, red: [], what: `as in checkpoint ${target.name} (${describeCheckpoint(target)})`, lost };
}

/** The words of the plan's tasks, and where in the project its file is; null without one that can be read. */
function planNow({ projectDir }: CommandContext<UndoArgs>): { tasks: string[]; place: string } | null {
  const { plan } = projectPaths(projectDir, null, null);
  const text = readOptional(plan);
  if (plan === null || text === null) return null;
  return { tasks: parsePlan(text, []).boxes.map((box) => box.text), place: slashPath(projectDir, realpathSync(plan)) };
}

async function withoutTask(
  context: CommandContext<UndoArgs>,
  name: string,
  asked: string,
  { runsDir, runs }: Pick<Place, "runsDir" | "runs">,
): Promise<Undo> {
  const file = projectPaths(context.projectDir, null, null).plan === null ? null : openPlan(context);
  const task = /^\d+$/.test(asked) && file !== null ? taskNumbered(file, "--task", asked).text : asked;
  const found = findSteps(runsDir, runs, task);
  const { plan, stays } = file === null ? { plan: null, stays: false } : planWithout(context.projectDir, file, task);
  const resolved = loadSettings(context);
  await requireGateTrust(context, resolved);
  const job = (run: Run) => undoTask(run, { task, steps: found.steps, plan }, name);
  const done = await recordInNewestRun(context, job, { settings: resolved.settings });
  const box = stays ? ", whose box stays ticked: the plan leads out of the project" : "";
  return { ...done, lost: [], what: `without the task "${singleLine(task)}"${box}` };
}

/** What becomes of the plan; `stays`: the box stays ticked. */
function planWithout(project: string, file: PlanFile, task: string): { plan: TaskUndo["plan"]; stays: boolean } {
  const path = placeOf(project, file);
  const boxes = file.plan.boxes.filter(({ text }) => text === task);
  const ticked = boxes.find(({ isDone }) => isDone);
  // A person may have opened the box before.
  if (ticked === undefined)
    return { plan: path === null || boxes.length === 0 ? null : { path, text: null }, stays: false };
  const edit = markTask(file.text, ticked.line, false);
  if (edit === null || path === null) return { plan: null, stays: edit !== null };
  return { plan: { path, text: file.mark + edit.text }, stays: false };
}

/** Where the plan's file is: a linked plan stays a link. Null outside the project, where no checkpoint keeps what is written over. */
function placeOf(project: string, { path }: PlanFile): string | null {
  const file = realpathSync(path);
  return containsPath(project, file) ? slashPath(project, file) : null;
}

/** The gates run, and with them what the project names. @throws RalphError `environment` if the user did not agree to it */
async function requireGateTrust(context: CommandContext<UndoArgs>, resolved: ResolvedSettings): Promise<void> {
  if (gateCommands(resolved.settings).length === 0 || resolved.settings.RALPH_TRUST) return;
  const host = createHost(context.projectDir, context.env);
  const items = projectItems(resolved, projectPaths(context.projectDir, null, null), host);
  await requireTrust(items, { host, ask: askedHere(context) });
}

/** @throws RalphError `environment` if no run did it, or it cannot be taken back alone */
function findSteps(runsDir: string, runs: readonly string[], task: string) {
  for (const run of runs.toReversed()) {
    const found = stepsOfTask(historyOf(runsDir, run), task);
    if (found !== null && "steps" in found) return found;
    if (found !== null)
      throw new RalphError("environment", `Nothing was undone: ${found.conflict}.`, {
        hint: `See what it changed with: ralph diff ${run} --iteration N`,
      });
  }
  throw new RalphError("environment", `No run ticked the task ${JSON.stringify(task)}.`, {
    hint: "See the tasks and their numbers with: ralph plan",
  });
}

type Place = { runsDir: string; runs: string[]; newest: string; history: CheckpointHistory };

function target(
  { to, iteration }: CommandContext<UndoArgs>["args"],
  { runsDir, runs, newest, history }: Place,
): Checkpoint {
  return to === undefined
    ? beforeIteration({ runsDir, runs, newest, history }, numberOf(iteration))
    : findCheckpoint(runsDir, runs, newest, to);
}

const numberOf = (iteration: string | undefined) => (iteration === undefined ? null : wholeNumber("N", iteration));

function beforeIteration({ runsDir, runs, newest: run, history }: Place, asked: number | null): Checkpoint {
  const { before, lastIteration, checkpoints } = history;
  const number = asked ?? lastIteration;
  if (number === null) {
    const own = checkpoints.findLast(({ name }) => !name.startsWith("undo-"));
    const earlier = runs.slice(0, runs.indexOf(run));
    const previous = earlier.findLast((one) => historyOf(runsDir, one).checkpoints.length > 0);
    const ways = [
      ...(own === undefined ? [] : [`The files ${describeCheckpoint(own)}: ralph undo --to ${own.name}`]),
      ...(previous === undefined ? [] : [`Those of the run before: ralph checkpoints ${previous}`]),
    ];
    throw new RalphError("environment", `The run ${run} has no iteration.`, { hint: ways.join(". ") || null });
  }
  const found = before.get(number);
  if (found !== undefined) return found;
  throw new RalphError("environment", `There is no checkpoint of the files before iteration ${number} of run ${run}.`, {
    hint: "See which there are with: ralph checkpoints",
  });
}
