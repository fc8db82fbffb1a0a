/** The working trees of a repository, as git lists them. */
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
  const main = own !== null && own.gitDir === own.commonDir ? own.root : null;
  const listed = await git.need(["worktree", "list", "--porcelain"]);
  return listed.split("\n\n").flatMap((block, index) => {
    const lines = block.split("\n");
    const named = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    const at = lines.find((line) => line === "detached" || line.startsWith("branch "));
    if (named === undefined || at === undefined) return [];
    // The main one comes first. Where its repository lies apart, as that of a submodule does, git names the repository.
    return [{ folder: (index === 0 ? main : null) ?? named, at }];
  });
}
