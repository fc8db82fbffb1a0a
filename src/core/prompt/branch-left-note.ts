import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const BRANCH_CHARS = 100;

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
