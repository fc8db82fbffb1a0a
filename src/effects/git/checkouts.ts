/** The working trees of a repository, as git lists them. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Git } from "./git-program.ts";
import { discoverRepository } from "./repository.ts";

/** The checkout that has a branch; null if none has. */
export async function checkoutOf(git: Git, branch: string): Promise<string | null> {
  const all = await checkouts(git);
  return all.find(({ at }) => at === `branch refs/heads/${branch}`)?.folder ?? null;
}

/** All checkouts, and what git says each is at: `detached`, or `branch` and its ref. */
export async function checkouts(git: Git): Promise<{ folder: string; at: string }[]> {
  const own = discoverRepository(git.dir);
  const apart = own === null ? null : realpathSync(own.gitDir);
  const listed = await git.need(["worktree", "list", "--porcelain"]);
  return listed.split("\n\n").flatMap((block) => {
    const lines = block.split("\n");
    const named = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    const at = lines.find((line) => line === "detached" || line.startsWith("branch "));
    if (named === undefined || at === undefined) return [];
    // Of a repository that lies apart, as that of a submodule does, git names the repository and not its checkout.
    return [{ folder: own !== null && resolve(named) === apart ? own.root : named, at }];
  });
}
