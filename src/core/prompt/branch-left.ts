import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const BRANCH_CHARS = 100;

/**
 * The branch that a run began on, where HEAD is detached: an agent that looked at an old commit, or was ended in a rebase, leaves it so.
 * Null while HEAD is on any branch: an agent may have been told to make one. Null too of a HEAD that cannot be read.
 * @param now the commit and the branch of HEAD
 * @param home the branch at the start; null for a run that began on none
 */
export function branchLeft(now: { head: string | null; branch: string | null }, home: string | null): string | null {
  return now.head !== null && now.branch === null ? home : null;
}

/** What a person is told of it, at once and at the end. @param branch the one that the run began on */
export function describeBranchLeft(branch: string): string {
  const name = shown(branch);
  return `HEAD is detached, and the run began on the branch ${name}: what is committed since then is on no branch. Check ${name} out again, and take that along.`;
}

/** Asks the agent to come back: it left the branch itself, mostly in a call that was cut short, and knows no more of it. */
export function branchLeftNote(branch: string): string {
  const name = shown(branch);
  return `HEAD was on the branch ${name} when this run began, and is on none now (\`git status\`): commits are on no branch, and files, the plan among them, may be those of an old commit. Unless the task wants it so, mend that first: end what git has under way, check ${name} out again, and bring along what was committed since.`;
}

function shown(branch: string): string {
  return truncate(singleLine(branch), BRANCH_CHARS);
}
