import type { Git } from "./git-program.ts";

/** Whether all of a commit's history is in that of another. */
export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", older, newer])).code === 0;
}
