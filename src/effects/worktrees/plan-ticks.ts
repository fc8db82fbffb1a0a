/** What a run in a worktree ticked and no commit has: the project's plan gets the ticks when the work has landed. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { LandTask } from "../../core/land/tick.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { WorkTask } from "../../core/tasks/task-graph.ts";
import { planSource, type TaskSource } from "../../core/tasks/task-source.ts";
import { readRegularText } from "../files/regular-file.ts";
import { createGit } from "../git/git-program.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import { tickOnDisk } from "../land/plan.ts";
import type { CarriedTicks } from "../ports.ts";
import { projectPaths } from "../project/project-paths.ts";
import { listRecords, rootOf, writeRecord } from "./record.ts";
import { commitOf } from "./repository.ts";
import { mustBeCommitted } from "./uncommitted.ts";

/** The tasks of a project's plan; none of one that is gone or too large. */
export function planTasks(project: string): readonly WorkTask[] {
  const { plan } = projectPaths(project, null, null);
  try {
    return plan === null ? [] : read(readRegularText(plan)).graph.tasks;
  } catch {
    return [];
  }
}

function read(text: string): TaskSource {
  return planSource(text, [], (words) => createHash("sha256").update(words).digest("hex"));
}

/**
 * Ticks in the project's plan what was ticked in that of the worktree with this branch, and in no commit, once all of its work is landed.
 * @param landed a commit that is; null where the worktree is known to have no other
 * @returns null without a tick that the project's plan lacks
 */
export async function carryTicks(
  project: string,
  { branch, landed, env }: { branch: string; landed: string | null; env: EnvVars },
): Promise<CarriedTicks | null> {
  const record = listRecords(project).find((one) => one.branch === branch);
  const { plan } = projectPaths(project, null, null);
  if (record === undefined || plan === null || !existsSync(join(rootOf(project, record.name), ".git"))) return null;
  const { name, ticked = [] } = record;
  const root = rootOf(project, name);
  const there = planTasks(join(root, record.prefix));
  const fresh = newlyDone(there, planTasks(project), ticked);
  if (fresh.length === 0) return null;
  const carried = { worktree: name, tasks: fresh.map(({ text }) => text) };
  try {
    const owner = createGit(project, env);
    const git = createGit(root, env);
    const head = await commitOf(git, "HEAD");
    // One that a commit has goes with the files around it, and those may be on another branch.
    const isTracked = (await owner.run(["ls-files", "--error-unmatch", "--", plan])).code === 0;
    if (isTracked && (head === null || !(await isAncestor(owner, head, "HEAD")))) return null;
    await mustBeCommitted(git, record);
    // Its user may have thrown the work away, and left the plan as it was.
    if (head === record.base)
      return landed === null ? null : { ...carried, why: `The worktree ${name} has no commit of its own.` };
    if (landed !== null && (head === null || !(await isAncestor(git, head, landed))))
      return { ...carried, why: `The worktree ${name} has commits that are not landed.` };
    tickOnDisk(plan, { read }, fresh);
    writeRecord(project, { ...record, ticked: there.flatMap(({ id, done }) => (done ? id : [])) });
    return { ...carried, why: null };
  } catch (error) {
    const why = error instanceof RalphError ? error.message : reasonOf(error);
    return { ...carried, why: why.replace(/\.?$/, ".") };
  }
}

/**
 * The open tasks of a plan that another has as done.
 * @param ticked ids of those that it had as done before
 */
function newlyDone(there: readonly WorkTask[], here: readonly WorkTask[], ticked: readonly string[]): LandTask[] {
  const open = new Map(here.flatMap((task) => (task.done ? [] : [[task.id, task]])));
  const known = new Set(there.map(({ id }) => id));
  // Many tasks may have the same words ("add tests"): one that an agent moved to another section is none that both plans have.
  const moved = [...open.values()].filter(({ id }) => !known.has(id));
  const ids = new Set([...ticked, ...here.flatMap(({ id, done }) => (done ? id : []))]);
  return there.flatMap((task) => {
    if (!task.done || ids.has(task.id)) return [];
    const same = open.get(task.id);
    if (same !== undefined) return same;
    const at = moved.findIndex(({ text }) => text === task.text);
    return at === -1 ? [] : moved.splice(at, 1);
  });
}
