import type { Evidence } from "../../core/journal/event.ts";
import { boxChanges, stillTakenOff } from "../../core/plan/box-changes.ts";
import { type ParsedPlan, parseProjectPlan, planDelta, tickedTasks } from "../../core/plan/fix-plan.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Snapshot } from "../../effects/ports.ts";
import type { Run } from "../run.ts";

/** A commit's subject may be a whole page, written by an agent. */
const SUBJECT_CHARS = 200;

/** The tree and the plan before, the tree after, and the task at hand. */
type ObservedChange = { before: Snapshot; after: Snapshot; plan: ParsedPlan | null; task: string | null };

/** More paths are no list that anybody reads; their number is recorded whole. */
const MOST_FILES = 200;
const MOST_TAKEN_OFF = 20;

/** What an iteration did, by what can be seen of it. */
export async function gatherEvidence(
  { world, settings, state }: Run,
  { before, after, plan: planBefore, task }: ObservedChange,
): Promise<Evidence> {
  const { workspace, project } = world;
  const change = await workspace.changes(before, after);
  const planAfter = parseProjectPlan(project.plan(), settings);
  const plan = planAfter?.counts ?? null;
  const ticked = tickedTasks(planBefore, planAfter);
  const boxes = boxChanges(planBefore, planAfter);
  const hasOtherWork = change.headMoved || change.files.length > 0;
  const counted = planDelta(state().plan, plan);
  // A box that came with its tick, and nothing else, is a word about work: a run that only logs would never end.
  const isOnlyLogged = counted > 0 && !hasOtherWork && planBefore !== null && boxes.ticks === 0;
  const delta = isOnlyLogged ? 0 : counted;
  const { inbox, taken_off } = state();
  const takenOff = [...new Set([...stillTakenOff(taken_off, planAfter), ...boxes.takenOff])].slice(-MOST_TAKEN_OFF);
  const asked = new Set([task, ...inbox.open.map((question) => question.task)]);
  const reworded = boxes.reworded.filter(({ from }) => asked.has(from));
  // The newest commit comes first.
  const first = change.commits.at(-1);
  const subject = first === undefined ? null : await workspace.subject(first);
  return {
    progress: hasOtherWork || delta > 0,
    commits: change.commits,
    ...(change.committedInside === true ? { committed_inside: true } : {}),
    files_changed: change.files.slice(0, MOST_FILES),
    files_changed_count: change.files.length,
    plan_delta: delta,
    ...(ticked.length === 0 ? {} : { plan_ticked: ticked }),
    ...(takenOff.length === 0 ? {} : { plan_taken_off: takenOff }),
    ...(reworded.length === 0 ? {} : { plan_reworded: reworded }),
    ...(subject === null ? {} : { subject: truncate(singleLine(subject), SUBJECT_CHARS) }),
    plan,
    head: after.head,
    fingerprint: workspace.fingerprint(after),
  };
}
