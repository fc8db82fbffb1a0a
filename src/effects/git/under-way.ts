import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Git } from "./git-program.ts";

/** Files and folders of git that are there while one of its commands waits for a person. */
const MARKS = [
  ["rebase-apply/applying", "am"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["MERGE_HEAD", "merge"],
  // More of several commits are to come, of a revert too: what ends the one ends the other.
  ["sequencer", "cherry-pick"],
] as const;

export type UnderWay = (typeof MARKS)[number][1];

/**
 * What of git's own is under way in a checkout: a rebase, a merge … that waits for somebody to go on with it; null if nothing is.
 * @throws RalphError `environment` if it is no repository
 */
export async function underWay(git: Git): Promise<UnderWay | null> {
  const args = MARKS.flatMap(([path]) => ["--git-path", path]);
  const paths = (await git.need(["rev-parse", ...args])).split("\n");
  const at = paths.findIndex((path) => existsSync(resolve(git.dir, path)));
  return MARKS[at]?.[1] ?? null;
}
