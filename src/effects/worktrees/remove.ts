/** Removes a worktree so that nothing of it is lost: a checkpoint first, and its journals stay. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { firstTasks } from "../../core/plan/taken-off-text.ts";
import { reasonOf } from "../../core/system-error.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { createCheckpoints } from "../checkpoints/checkpoints.ts";
import { checkpointStore } from "../checkpoints/store.ts";
import { forgetCheckout } from "../git/checkouts.ts";
import { createGit, type Git } from "../git/git-program.ts";
import { listRuns } from "../journal/journal-read.ts";
import { readLock, takeLock } from "../journal/lock.ts";
import { startTimeOf } from "../process-tree/process-tree.ts";
import { projectPaths, RALPH_DIR } from "../project/project-paths.ts";
import { createWorkspace } from "../project/workspace.ts";
import { homeFolder } from "../user/home.ts";
import { ownFiles } from "./bring-along.ts";
import { withGitLock } from "./git-lock.ts";
import { endLeftMakers } from "./leftovers.ts";
import { mustLockName } from "./name-lock.ts";
import { hasPastRuns, keepPast, pastOf } from "./past.ts";
import { carryTicks } from "./plan-ticks.ts";
import { freePorts } from "./ports.ts";
import {
  forget,
  isCheckout,
  listRecords,
  readRecord,
  rootOf,
  tidyWorktrees,
  type WorktreeRecord,
  writeRecord,
} from "./record.ts";
import { branchTip, commitOf, currentBranch, type ProjectGit, projectGit } from "./repository.ts";
import { mustBeCommitted } from "./uncommitted.ts";

export type RemovedWorktree = {
  name: string;
  branch: string;
  /** Whether the branch is there still: its commits are on no other. */
  branch_kept: boolean;
  /** The ref of the commit with its files as they were; null if there were none. */
  checkpoint: string | null;
  /** Where its journals are now; null if it had none. */
  journals: string | null;
  /** Tasks that were ticked in the project's plan, as they had been in its own. */
  ticked: string[];
};

type Removal = { project: string; name: string; force: boolean; env: EnvVars };

/**
 * Removes a worktree after a checkpoint of its files. What is only in it stays: without `force` it must be landed, and with it its branch
 * is kept where no other has its commits.
 * @throws RalphError `environment` while a run lives in it, if it is not landed, or a file of it cannot be kept
 */
export async function removeWorktree({ project, name, force, env }: Removal): Promise<RemovedWorktree> {
  if (readRecord(project, name) === null) throw unknown(project, name);
  const place = await projectGit(project, env);
  const unlock = mustLockName(project, name);
  try {
    const record = readRecord(project, name);
    if (record === null) throw unknown(project, name);
    const root = rootOf(project, name);
    if (record.state !== "ready") await endLeftMakers(root);
    const worked = record.state === "made" || record.state === "ready";
    const hasFiles = worked && isCheckout(root, name);
    const unlockRun = hasFiles ? lockRun(name, join(root, record.prefix, ".ralph")) : () => {};
    try {
      const kept = hasFiles ? await keep(project, record, { force, env }) : { checkpoint: null, ticked: [] };
      return { ...(await finishRemoval(project, record, place, env)), ...kept };
    } finally {
      unlockRun();
    }
  } finally {
    unlock();
    tidyWorktrees(project);
  }
}

function unknown(project: string, name: string): RalphError {
  const names = listRecords(project).map((one) => one.name);
  return new RalphError("environment", `There is no worktree ${JSON.stringify(name)} of ${project}.`, {
    hint: names.length === 0 ? "Make one with: ralph run --worktree" : `There are: ${names.join(", ")}`,
  });
}

type Keeping = { force: boolean; env: EnvVars };

/**
 * Sees that it may go, and keeps its files.
 * @returns the checkpoint's ref, and the ticks that landed with it
 * @throws RalphError `environment` if it may not
 */
async function keep(owner: string, record: WorktreeRecord, { force, env }: Keeping) {
  const { name, prefix } = record;
  const root = rootOf(owner, name);
  const git = createGit(root, env);
  await refuseOthers(git, name, env);
  const ticked = force ? [] : await mustBeLanded(owner, git, record, env);
  const project = join(root, prefix);
  const all = listRuns(join(project, ".ralph", "runs"));
  const run = all.at(-1) ?? `worktree-${name}`;
  const checkpoint = await makeCheckpoint(root, { record, run, env });
  const folders = [...new Set([root, project])].map((folder) => realpathSync(folder));
  if (all.length > 0)
    keepPast(owner, name, { runs: join(project, ".ralph", "runs"), refs: refsOf(folders, all, env), last: run });
  writeRecord(owner, { ...record, state: "removing" });
  return { checkpoint, ticked };
}

/** No run may begin in it from here on. @throws RalphError `environment` while one lives */
function lockRun(name: string, ralph: string): () => void {
  if (!existsSync(ralph)) return () => {};
  const path = join(ralph, "lock");
  const lock = takeLock(path, { pid: process.pid, startTime: startTimeOf(process.pid), run: `removing ${name}` });
  if (lock.held) return lock.release;
  const holder = readLock(path);
  throw new RalphError(
    "environment",
    `A run lives in the worktree ${name}${holder === null ? "" : ` (${holder.run}, pid ${holder.pid})`}.`,
    { hint: `Stop it first: ralph stop -C ${typedWord(join(ralph, ".."))}` },
  );
}

/** A checkpoint has no commits of repositories inside, nor of those in them. @param below from the worktree, with a slash at its end */
async function refuseOthers(git: Git, name: string, env: EnvVars, below = ""): Promise<void> {
  const staged = (await git.need(["ls-files", "-z", "--stage"])).split("\0");
  const submodules = staged.flatMap((line) => (line.startsWith("160000 ") ? line.slice(line.indexOf("\t") + 1) : []));
  const others = (await git.need(["ls-files", "-z", "--others", "--exclude-standard"])).split("\0");
  const repositories = [
    ...submodules.map((path) => ({ path, what: `submodule ${below}${path} of` })),
    // git lists one that is no submodule with a slash at its end.
    ...others.flatMap((path) => (path.endsWith("/") ? { path, what: `repository ${below}${path} in` } : [])),
  ].filter(({ path }) => existsSync(join(git.dir, path, ".git")));
  for (const { path, what } of repositories) {
    if (await hasOwnWork(git, path, env)) throw nowhereElse(git, path, `${what} the worktree ${name}`);
    await refuseOthers(createGit(join(git.dir, path), env), name, env, `${below}${path.replace(/\/$/, "")}/`);
  }
}

/** Whether a repository has files or commits (of a stash, too) that no remote of its has; also if that cannot be told. */
async function hasOwnWork(git: Git, path: string, env: EnvVars): Promise<boolean> {
  const inside = createGit(join(git.dir, path), env);
  const changed = await inside.run(["status", "--porcelain"]);
  const refs = ["--exclude=refs/tags/*", "--all", "--not", "--remotes"];
  const unpushed = await inside.run(["rev-list", "--max-count=1", ...refs]);
  return [changed, unpushed].some(({ code, stdout }) => code !== 0 || stdout.trim() !== "");
}

function nowhereElse(git: Git, path: string, what: string): RalphError {
  return new RalphError("environment", `The ${what} has work that is nowhere else, and no checkpoint holds it.`, {
    hint: `Push it, or move it away: git -C ${typedWord(join(git.dir, path))} status`,
  });
}

/**
 * Sees that all of it has landed, also where its branch was merged by hand: then so have its ticks.
 * @returns the tasks that the project's plan got the tick of
 * @throws RalphError `environment` with what is only there
 */
async function mustBeLanded(owner: string, git: Git, record: WorktreeRecord, env: EnvVars): Promise<string[]> {
  const { name, prefix } = record;
  const hint = `Look at it with: ralph diff -C ${typedWord(join(git.dir, prefix))}. To remove it all the same, after a checkpoint: ralph worktrees remove ${name} --force`;
  await mustBeCommitted(git, record, hint);
  const head = await commitOf(git, "HEAD");
  const current = await currentBranch(git);
  if (head !== null && !(await isElsewhere(git, record, head, current))) {
    const branch = current ?? head.slice(0, 10);
    throw new RalphError("environment", `${branch} of the worktree ${name} is merged into no other branch yet.`, {
      hint,
    });
  }
  const ticks = await carryTicks(owner, { branch: record.branch, landed: null, env });
  if (ticks === null || ticks.why === null) return ticks?.tasks ?? [];
  throw new RalphError("environment", `Not ticked in the plan: ${firstTasks(ticks.tasks)}. ${ticks.why}`, { hint });
}

/** Whether a branch of the owner's has the commit: not its own one, here or on a remote, nor another that only ralph works on. */
async function isElsewhere(git: Git, { branch, from }: WorktreeRecord, commit: string, current: string | null = null) {
  const args = ["for-each-ref", "--format=%(refname)", `--contains=${commit}`, "refs/heads", "refs/remotes"];
  const found = (await git.need(args)).split("\n").map(shortName);
  const isOwners = (name: string) =>
    name === from || !(name.startsWith("ralph/") || name === branch || name === current);
  return found.some((name) => name !== "" && name !== "HEAD" && isOwners(name));
}

/** Without the remote: a branch that was only pushed is not landed. */
function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");
}

type CheckpointOf = { record: WorktreeRecord; run: string; env: EnvVars };

/**
 * Keeps the whole checkout, and for a project below its root that project with its plan.
 * @returns the ref of the first
 * @throws RalphError `environment` if a file of it cannot be kept
 */
async function makeCheckpoint(checkout: string, { record: { name, prefix }, run, env }: CheckpointOf): Promise<string> {
  const root = realpathSync(checkout);
  const project = join(root, prefix);
  const message = `ralph: the worktree ${name} before it was removed`;
  try {
    if (prefix !== "") await keepFiles(project, { run, message, env });
    return await keepFiles(root, { run, message, env });
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    const why = `The worktree ${name} stays: its checkpoint cannot be made: ${reasonOf(cause)}`;
    throw new RalphError("environment", why, { cause });
  }
}

type Kept = { run: string; message: string; env: EnvVars };

async function keepFiles(folder: string, { run, message, env }: Kept): Promise<string> {
  const { seen, snapshot, locate } = createWorkspace(folder, { env });
  const paths = projectPaths(folder, null, null);
  const isFile = (path: string) => lstatSync(join(folder, path)).isFile();
  const more = ownFiles(paths.ralph)
    .map((path) => `${RALPH_DIR}/${path}`)
    .filter(isFile);
  const checkpoints = createCheckpoints({ paths, env, more, seen, locate, now: Date.now });
  // One checkpoint writes only so much; the next goes on.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const made = checkpoints.make(await snapshot(), { run, name: "removed", message, onlyNew: false });
    const [first, ...more] = made?.leftOut ?? [];
    if (first === undefined) return `${checkpointStore(locate(), paths.ralph, env).refsOf(run)}removed`;
    if (more.length + 1 >= before)
      throw new RalphError(
        "environment",
        `No checkpoint can keep ${join(folder, first)}: it is too large, or unreadable.`,
        {
          hint: "Move it away, or delete it.",
        },
      );
    before = more.length + 1;
  }
}

/** Where the checkpoints of runs begin that worked in any of these folders. */
function refsOf(folders: readonly string[], runs: readonly string[], env: EnvVars): string[] {
  return folders.flatMap((folder) => {
    const store = checkpointStore(createWorkspace(folder, { env }).locate(), join(folder, ".ralph"), env);
    return runs.map(store.refsOf);
  });
}

/** What a removal does after its files are kept; a kill at any step is completed by the next call. */
export async function finishRemoval(
  owner: string,
  record: WorktreeRecord,
  { git, commonDir }: ProjectGit,
  env: EnvVars,
  signal = new AbortController().signal,
): Promise<Omit<RemovedWorktree, "checkpoint" | "ticked">> {
  const { name, branch, own_branch } = record;
  const root = rootOf(owner, name);
  writeRecord(owner, { ...record, state: "removing" });
  await rm(root, { recursive: true, force: true });
  await withGitLock(commonDir, signal, () => forgetCheckout(git, root));
  const tip = await branchTip(git, branch);
  const isLanded = tip !== null && (await isElsewhere(git, record, tip));
  const isGone = tip === null || (own_branch && isLanded && (await deleteBranch(git, branch, tip)));
  freePorts(root, { platform: process.platform, env, home: homeFolder(env) });
  forget(owner, name);
  const journals = hasPastRuns(owner, name) ? pastOf(owner, name) : null;
  return { name, branch, branch_kept: !isGone, journals };
}

/** @returns whether it is gone: not where a git that was killed left a lock on it */
async function deleteBranch(git: Git, branch: string, tip: string): Promise<boolean> {
  return (await git.run(["update-ref", "-d", `refs/heads/${branch}`, tip])).code === 0;
}
