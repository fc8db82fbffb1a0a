/** What an agent left in a worker's checkout, wherever and in the middle of whatever, brought to its task's branch. */
import { commitAll, HookRefusal } from "../git/commit-all.ts";
import type { Git, GitOptions } from "../git/git-program.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import { behindSubmodules } from "../git/submodules.ts";
import { type UnderWay, underWay } from "../git/under-way.ts";

/** Work on a task is on two branches that do not go together, or does not fit onto what it is to be built on: a person has to look. */
export class ConflictError extends Error {}

/** What git was in the middle of when an agent ended, and the files that have marks of its conflicts. */
type Midway = { what: UnderWay; marked: readonly string[] };

/**
 * Commits all that lies in the checkout. A merge, a rebase … that is under way ends with that: its conflicts are committed with their marks,
 * as no other command of git begins before, and no worker could go on there. A submodule that a kill kept from following stays as the index has it.
 * @param options `hooks: false` for what nobody calls finished
 * @returns what was under way; null if nothing was
 * @throws RalphError `environment` if git or a hook refuses
 */
export async function commitWork(
  git: Git,
  message: string,
  options: Pick<GitOptions, "hooks"> = {},
): Promise<Midway | null> {
  const what = await underWay(git);
  const leave = await behindSubmodules(git);
  if (what === null) {
    await commitAll(git, message, { ...options, leave });
    return null;
  }
  const unmerged = await git.need(["diff", "--name-only", "--diff-filter=U", "-z"]);
  await commitAll(git, message, { hooks: false, isMidway: true, leave });
  await git.need([what, "--quit"]);
  return { what, marked: unmerged.split("\0").filter((path) => path !== "") };
}

/**
 * Commits what an agent left of a task that it called done.
 * @param isAgain whether it was told before why such work is not done
 * @returns why it is not done all the same, in a sentence without its dot; null if it is
 * @throws RalphError `environment` if git refuses, or the second time a hook
 */
export async function commitDone(git: Git, message: string, isAgain: boolean): Promise<string | null> {
  try {
    const midway = await commitWork(git, message);
    return midway === null ? null : midwayWords(midway);
  } catch (error) {
    if (isAgain || !(error instanceof HookRefusal)) throw error;
    await commitWork(git, message, { hooks: false });
    return error.message;
  }
}

function midwayWords({ what, marked }: Midway): string {
  const files = marked.length === 0 ? "" : `, with the marks of its conflicts in ${marked.join(", ")}`;
  return `it called its work done in the middle of a git ${what}; what lay there is committed as it was${files}: that is to be finished`;
}

/**
 * Brings what is checked out onto the task's branch: an agent may have worked on another one, or on none.
 * @returns the branch's commit
 * @throws ConflictError if each has commits that the other lacks; both have a branch then
 */
export async function onBranch(git: Git, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const head = await git.need(["rev-parse", "--verify", "HEAD"]);
  const found = await git.run(["rev-parse", "--verify", "--quiet", ref]);
  const tip = found.code === 0 ? found.stdout.trim() : null;
  if (tip === head || (tip !== null && (await isAncestor(git, head, tip)))) return tip;
  if (tip === null || (await isAncestor(git, tip, head))) {
    await git.need(["update-ref", "-m", "ralph: work of an agent elsewhere", ref, head]);
    return head;
  }
  const aside = await asideOf(git, branch, head);
  await git.need(["branch", "--force", aside, head]);
  throw new ConflictError(`its agent left some of the work on ${branch}, and other work beside it: that is ${aside}`);
}

/** A name for commits that belong to a branch and are not on it. */
export async function asideOf(git: Git, branch: string, commit: string): Promise<string> {
  return `${branch}-aside-${await git.need(["rev-parse", "--short=12", commit])}`;
}
