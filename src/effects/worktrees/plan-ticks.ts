/** What a run in a worktree ticked and no commit has: the project's plan gets the ticks when the work has landed. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { LandTask } from "../../core/land/tick.ts";
import { reasonOf } from "../../core/system-error.ts";
import { planSource, type TaskSource } from "../../core/tasks/task-source.ts";
import { createGit } from "../git/git-program.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import { tickOnDisk } from "../land/plan.ts";
import type { CarriedTicks } from "../ports.ts";
import { projectPaths, readOptional } from "../project/project-paths.ts";
import { listRecords, rootOf, writeRecord } from "./record.ts";
import { commitOf } from "./repository.ts";
import { mustBeCommitted } from "./uncommitted.ts";

/** The tasks that a project's plan has as done. */
export function doneTasks(project: string): LandTask[] {
  return read(readOptional(projectPaths(project, null, null).plan) ?? "").graph.tasks.filter(({ done }) => done);
}

function read(text: string): TaskSource {
  return planSource(text, [], (words) => createHash("sha256").update(words).digest("hex"));
}

/**
 * Ticks in the project's plan what was ticked in that of the worktree with this branch, and in no commit, once all of its work is landed.
 * @param tip a commit that has what is landed
 * @returns null without a tick that the project's plan lacks
 */
export async function carryTicks(
  project: string,
  { branch, tip, env }: { branch: string; tip: string; env: EnvVars },
): Promise<CarriedTicks | null> {
  const record = listRecords(project).find((one) => one.branch === branch);
  const { plan } = projectPaths(project, null, null);
  if (record === undefined || plan === null || !existsSync(join(rootOf(project, record.name), ".git"))) return null;
  const { name, ticked = [] } = record;
  const root = rootOf(project, name);
  const done = doneTasks(join(root, record.prefix));
  const here = read(readOptional(plan) ?? "");
  const fresh = done.filter((task) => !ticked.includes(task.id) && here.withDone(task) !== null);
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
    if (head === null || !(await isAncestor(git, head, tip)))
      return { ...carried, why: `The worktree ${name} has commits that are not landed.` };
    tickOnDisk(plan, { read }, fresh);
    writeRecord(project, { ...record, ticked: done.map(({ id }) => id) });
    return { ...carried, why: null };
  } catch (error) {
    const why = error instanceof RalphError ? error.message : reasonOf(error);
    return { ...carried, why: why.replace(/\.?$/, ".") };
  }
}
