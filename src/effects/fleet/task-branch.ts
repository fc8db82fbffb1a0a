/** The branch of a task in a worker's checkout: begun from the target or gone on with, and handed in to the hub. */
import { posix } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { WorkTask } from "../../core/tasks/task-graph.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { truncate } from "../../core/text/truncate.ts";
import { holderOf } from "../git/checkouts.ts";
import { nestedRepositories } from "../git/commit-all.ts";
import { type Git, gitError } from "../git/git-program.ts";
import { identityArgs } from "../git/identity.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import { uploadLfs } from "../git/lfs.ts";
import { followAfterKill, followSubmodules, MISSING_IN_REMOTE } from "../git/submodules.ts";
import type { PushedAlong } from "./claims.ts";
import { hubRefs, isOwnRepository } from "./hub-refs.ts";
import { takeRulesOf, withCommittedRules } from "./keep-out.ts";
import { asideOf, ConflictError, commitDone, commitWork, onBranch } from "./left-work.ts";
import { needCommonHistory } from "./shallow.ts";

/** Where branches of tasks begin. */
const BRANCHES = "ralph/";
const SLUG_CHARS = 40;
const SUBJECT_CHARS = 72;
const LEFT = "Left uncommitted by a worker that ended";

/** `ralph/add-the-login-0123456789ab`. */
export function branchOfTask({ id, text }: Pick<WorkTask, "id" | "text">): string {
  const words =
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let slug = BRANCHES;
  for (const word of words) if (slug.length + word.length < BRANCHES.length + SLUG_CHARS) slug += `${word}-`;
  return `${slug}${id}`;
}

/** The commit of a branch in the hub; null if there is none. @throws RalphError `environment` if the hub is not reached */
export async function hubTip(git: Git, hub: string, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  return (await hubRefs(git, hub, ref)).get(ref) ?? null;
}

/**
 * Brings a branch of the hub into the own repository, without a ref.
 * @returns its commit; null if there is none
 * @throws RalphError `environment` if the hub is not reached
 */
export async function fetchBranch(git: Git, hub: string, branch: string): Promise<string | null> {
  const tip = await hubTip(git, hub, branch);
  if (tip === null || isOwnRepository(git, hub) || (await isHere(git, tip))) return tip;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", hub, `refs/heads/${branch}`];
  const fetched = await git.run(args);
  if (fetched.code === 0) return tip;
  // Somebody may have renamed or deleted it meanwhile.
  if ((await hubTip(git, hub, branch)) === null) return null;
  throw gitError(args, fetched);
}

/** Whether a commit is here with all that it needs, as git's own fetch looks for it before it asks for anything. */
async function isHere(git: Git, commit: string): Promise<boolean> {
  const args = ["rev-list", "--quiet", "--objects", "--missing=allow-promisor", commit, "--not", "--all"];
  return (await git.run(args)).code === 0;
}

export type TaskCheckout = {
  /** The branch with the task's work, ours or the hub's. */
  branch: string;
  /** The branch that the work is for, in the hub. */
  target: string;
  hub: string;
  /** Paths, from the checkout's folder, of files whose changes are the worker's own: its plan, and the list of tasks. */
  own: readonly string[];
  /** Branches in the hub that a new one builds on: tasks that this one waits for, and that are not landed yet. */
  builtOn: readonly string[];
  /** The work came back: it has to fit onto the target as it is now. */
  isReturned: boolean;
  /** The worker had the task all the time: no other can have changed its branch in the hub. */
  isKept: boolean;
};

/**
 * Checks out a task's branch: the one that is there, or a new one from the target. What lies uncommitted from before is committed where
 * it lies: a worker that was killed left it, or a person.
 * @returns paths of files that have marks of a conflict now, as the target was brought into work that came back
 * @throws RalphError `environment` if git refuses; ConflictError if what it builds on does not fit, or the branch is checked out elsewhere
 */
export async function openTaskBranch(git: Git, at: TaskCheckout): Promise<string[]> {
  const onto = await checkOut(git, at);
  return at.isReturned ? bringTargetIn(git, onto, at) : [];
}

/** @returns the target's commit */
async function checkOut(git: Git, { branch, target, hub, own, builtOn, isKept }: TaskCheckout): Promise<string> {
  const onto = await fetchBranch(git, hub, target);
  if (onto === null)
    throw new RalphError("environment", `The branch ${target} is not in ${hub}.`, {
      hint: "Push it there, or name another with --onto.",
    });
  const current = (await git.run(["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout.trim();
  if (current === branch) await followAfterKill(git);
  if (current === branch && isKept) return onto;
  const theirs = await fetchBranch(git, hub, branch);
  if (current === branch && (theirs === null || (await isAncestor(git, theirs, "HEAD")))) return onto;
  for (const path of own) await showOwn(git, path);
  // The target is a person's to have checked out in a clone.
  if (isKept && current !== target) await gatherWork(git, branch, onto);
  else await leaveClean(git, current);
  if (current !== branch) await needFree(git, branch);
  await withSubmodules(git, () => switchTo(git, { branch, theirs, onto, hub, builtOn }));
  return onto;
}

/**
 * Changes what is checked out, submodules too. Where one cannot follow, what was there before is checked out again: whoever commits all that
 * lies there would take back what the branch has in it.
 * @throws ConflictError if its remote lacks the commit
 */
async function withSubmodules<T>(git: Git, change: () => Promise<T>): Promise<T> {
  return withCommittedRules(git, async () => {
    const before = await git.run(["rev-parse", "--verify", "--quiet", "HEAD"]);
    const changed = await change();
    try {
      await followSubmodules(git);
    } catch (error) {
      await git.run(["merge", "--abort"]);
      await git.run(["switch", "--quiet", "--detach", before.stdout.trim()]);
      await followSubmodules(git);
      const [, path, commit] = MISSING_IN_REMOTE.exec((error as Error).message) ?? [];
      if (path === undefined) throw error;
      throw new ConflictError(
        `it needs commit ${commit} of the submodule ${path}, which its remote does not have: push it there from where it was made`,
      );
    }
    return changed;
  });
}

/** A branch can be checked out once. @throws ConflictError if a person or another worker has it */
async function needFree(git: Git, branch: string): Promise<void> {
  const folder = await holderOf(git, branch);
  if (folder !== null)
    throw new ConflictError(`${branch} is checked out in ${folder}: check out another branch there first`);
}

type Switch = Pick<TaskCheckout, "branch" | "hub" | "builtOn"> & { theirs: string | null; onto: string };

async function switchTo(git: Git, { branch, theirs, onto, hub, builtOn }: Switch): Promise<void> {
  const ours = await git.run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (ours.code === 0 && (theirs === null || (await goOnWith(git, branch, theirs)))) {
    await git.need(["switch", "--quiet", branch]);
    if (theirs !== null) await git.need(["merge", "--quiet", "--ff-only", theirs]);
    return;
  }
  await git.need(["switch", "--quiet", "--no-track", "--create", branch, theirs ?? onto]);
  if (theirs === null) for (const other of builtOn) await bringIn(git, hub, other);
}

/**
 * Whether the branch here fits to the hub's. One that does not is of a time when another worker took the task over: it is kept under a
 * name of its own, and what was handed in counts.
 */
async function goOnWith(git: Git, branch: string, theirs: string): Promise<boolean> {
  if ((await isAncestor(git, theirs, branch)) || (await isAncestor(git, branch, theirs))) return true;
  await git.need(["branch", "--move", "--force", branch, await asideOf(git, branch, branch)]);
  return false;
}

/**
 * Merges the target. A conflict is committed with its marks: an agent then finds files to edit and no state of git to know of, and the
 * plan, which is the worker's own, stands in no merge's way.
 */
async function bringTargetIn(git: Git, onto: string, { own, target, hub }: TaskCheckout): Promise<string[]> {
  for (const path of own) await showOwn(git, path);
  const identity = await identityArgs(git);
  const message = `Merge ${target} into work that came back`;
  await needCommonHistory(git, { hub, commit: onto });
  const merge = [...identity, "merge", "--quiet", "--no-edit", "-m", message, onto];
  let isOverRules = false;
  const merged = await withSubmodules(git, async () => {
    const said = await git.run(merge);
    isOverRules = said.code !== 0 && (await takeRulesOf(git, onto));
    return said;
  });
  if (merged.code === 0) return [];
  const unmerged = await git.run(["diff", "--name-only", "--diff-filter=U", "-z", "--no-relative"]);
  // The project may be a folder of its repository: what is in conflict beside it is to be solved, too.
  const prefix = await git.need(["rev-parse", "--show-prefix"]);
  const paths = unmerged.stdout.split("\0").flatMap((path) => (path === "" ? [] : [posix.relative(prefix, path)]));
  if (paths.length === 0 && !isOverRules) throw gitError(["merge"], merged);
  for (const path of own) if (paths.includes(path)) await git.need(["checkout", "--quiet", onto, "--", path]);
  await git.need(["add", "--all"]);
  await git.need([...identity, "commit", "--quiet", "--no-verify", "-m", `${message}, with conflicts to solve`]);
  return paths.filter((path) => !own.includes(path));
}

/** @throws ConflictError if it conflicts with what is there; nothing is left of the merge then */
async function bringIn(git: Git, hub: string, branch: string): Promise<void> {
  const tip = await fetchBranch(git, hub, branch);
  // Landed and deleted since: the target has it.
  if (tip === null) return;
  await needCommonHistory(git, { hub, commit: tip });
  const args = [...(await identityArgs(git)), "merge", "--quiet", "--no-edit", tip];
  const result = await git.run(args);
  if (result.code === 0) return;
  await git.run(["merge", "--abort"]);
  throw new ConflictError(`${branch} does not fit onto what else it is to be built on: land what it waits for first`);
}

/** What a worker that was killed left on its branch is committed there; a person's own work is not touched. */
async function leaveClean(git: Git, current: string): Promise<void> {
  if (current.startsWith(BRANCHES)) await commitWork(git, LEFT, { hooks: false });
  else if (await hasUncommitted(git))
    throw new RalphError(
      "environment",
      `There are uncommitted changes in ${git.dir}, and a worker needs a clean checkout.`,
      {
        hint: "Commit or stash them, or give the worker a worktree: --worktree",
      },
    );
}

/** No commit would take a repository inside along, and none that is checked out is in its way. */
async function hasUncommitted(git: Git): Promise<boolean> {
  const args = ["status", "--porcelain", "-z", "-uall", "--no-renames", "--ignore-submodules=all"];
  const listed = (await git.need(args)).split("\0").filter((line) => line !== "");
  if (listed.length === 0) return false;
  const nested = new Set((await nestedRepositories(git)).map((path) => `?? ${path}`));
  return listed.some((line) => !nested.has(line));
}

/**
 * Brings what a worker that ended did on a task to its branch, wherever its agent did it.
 * @param onto the target: what that has is nobody's work on the task
 * @throws RalphError `environment` if git refuses; ConflictError if the work is on two branches
 */
async function gatherWork(git: Git, branch: string, onto: string): Promise<void> {
  await commitWork(git, LEFT, { hooks: false });
  if (!(await isAncestor(git, "HEAD", onto))) await onBranch(git, branch);
}

export type LeftTask = {
  branch: string;
  /** See `gatherWork`. */
  onto: string;
  /** Whether the worker still has the task: then all in its checkout is of it. Else what is on the branch is. */
  isHeld: boolean;
};

/**
 * Frees the branch of the task that a worker was at which ended: other workers can check it out, with all that it left.
 * @throws RalphError `environment` if git refuses; ConflictError if the work is on two branches, which are free then
 */
export async function leaveTaskBranch(git: Git, { branch, onto, isHeld }: LeftTask): Promise<void> {
  const current = (await git.run(["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout.trim();
  if (!isHeld && current !== branch) return;
  try {
    await gatherWork(git, branch, onto);
  } finally {
    await git.need(["switch", "--quiet", "--detach"]);
  }
}

/** Lets files differ from the commit, and stay out of every commit made here, as far as git tracks them. */
export async function hideOwn(git: Git, own: readonly string[]): Promise<void> {
  for (const path of own) {
    const tracked = await git.run(["ls-files", "--error-unmatch", "--", path]);
    if (tracked.code === 0) await git.need(["update-index", "--skip-worktree", "--", path]);
  }
}

/** Gives such a file back as it is in the commit; what the worker's own had is told by its journal. */
async function showOwn(git: Git, path: string): Promise<void> {
  const listed = await git.run(["ls-files", "-v", "--", path]);
  if (!listed.stdout.startsWith("S ")) return;
  await git.need(["update-index", "--no-skip-worktree", "--", path]);
  await git.need(["checkout", "--quiet", "HEAD", "--", path]);
}

export type EndedTask = { task: Pick<WorkTask, "id" | "text">; run: string; isDone: boolean; isAgain: boolean };

/**
 * Commits what the agent left uncommitted.
 * @returns why what it called done is not, see `commitDone`
 * @throws RalphError `environment` if git or a hook refuses
 */
export async function commitTask(git: Git, { task, run, isDone, isAgain }: EndedTask): Promise<string | null> {
  const message = `${truncate(singleLine(task.text), SUBJECT_CHARS)}\n\nRalph-Task: ${task.id}\nRalph-Run: ${run}\n`;
  if (isDone) return commitDone(git, message, isAgain);
  await commitWork(git, message, { hooks: false });
  return null;
}

export type HandIn = {
  /** Its id. */
  task: string;
  branch: string;
  hub: string;
  /** The note on the result; null for none. */
  receipt: string | null;
};

/** A task's work as a commit, and what brings it to the hub with the claim; null where the hub has it already. */
export type HandedIn = { commit: string; along: PushedAlong | null };

/**
 * Brings what is committed onto the task's branch, and says what brings branch and receipt to the hub: with the claim, in one push, as only the
 * worker that has the task may change its branch.
 * @throws RalphError `environment` if git or the hub refuses; ConflictError if the hub's branch has commits that this checkout never saw,
 * a person's, or the work is on two branches. The work is on branches here
 */
export async function prepareHandIn(git: Git, { task, branch, hub, receipt }: HandIn): Promise<HandedIn> {
  const commit = await onBranch(git, branch);
  if (receipt !== null)
    await git.need(
      [...(await identityArgs(git)), "notes", `--ref=${notesOf(task)}`, "add", "--force", "--file=-", commit],
      { input: receipt },
    );
  if (isOwnRepository(git, hub)) {
    // A landed branch goes, and none can go that is checked out.
    await git.need(["switch", "--quiet", "--detach"]);
    return { commit, along: null };
  }
  const there = await hubTip(git, hub, branch);
  // An agent may rewrite what was handed in before; what is not here it cannot have rewritten.
  if (there !== null && (await git.run(["cat-file", "-e", `${there}^{commit}`])).code !== 0)
    throw new ConflictError(
      `${branch} has commits in ${hub} that are not here (its work is on that branch in ${git.dir})`,
    );
  const refused = await uploadLfs(git, hub, commit);
  if (refused !== null)
    throw new RalphError("environment", `${branch} is not pushed to ${hub}: ${refused}.`, {
      hint: `The work is on that branch in ${git.dir}. Mend it there, and run ralph again.`,
    });
  const notes = `refs/notes/${notesOf(task)}`;
  const refs = [`${commit}:refs/heads/${branch}`, ...(receipt === null ? [] : [`+${notes}:${notes}`])];
  return { commit, along: { options: [`--force-with-lease=refs/heads/${branch}:${there ?? ""}`], refs } };
}

/** A ref for each task: workers never write to the same one. */
function notesOf(task: string): string {
  return `ralph/${task}`;
}
