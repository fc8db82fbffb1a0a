/** The working trees of a repository, as git lists them. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Git } from "./git-program.ts";
import { readText } from "./read.ts";
import { discoverRepository } from "./repository.ts";

/** The checkout that has a branch; null if none has. */
export async function checkoutOf(git: Git, branch: string): Promise<string | null> {
  const all = await checkouts(git);
  return all.find(({ at }) => at === `branch refs/heads/${branch}`)?.folder ?? null;
}

/**
 * The same, for who needs the branch: a checkout that somebody removed is forgotten, unless it is locked. A prune would forget others too, whose
 * disks may be away.
 */
export async function holderOf(git: Git, branch: string): Promise<string | null> {
  const folder = await checkoutOf(git, branch);
  if (folder === null || existsSync(join(folder, ".git"))) return folder;
  const known = knownOf(git, folder);
  if (known === null || existsSync(join(known, "locked"))) return folder;
  rmSync(known, { recursive: true });
  return null;
}

/**
 * Deletes what the repository knows of a checkout whose folder is gone, locked or not. A git that was killed while it made one leaves an empty
 * file, at which every later git ends that looks at checkouts, also to remove one.
 */
export async function forgetCheckout(git: Git, folder: string): Promise<void> {
  const known = knownOf(git, folder);
  if (known === null) await git.run(["worktree", "remove", "--force", "--force", folder]);
  else rmSync(known, { recursive: true });
}

/** The folder in which the repository keeps what it knows of a checkout; null if none is found. */
function knownOf(git: Git, folder: string): string | null {
  const all = join(discoverRepository(git.dir)?.commonDir ?? "", "worktrees");
  const folders = existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
  const leadsTo = (own: string) => resolve(own, readText(join(own, "gitdir"))?.trim() ?? "");
  return folders.find((own) => leadsTo(own) === join(folder, ".git")) ?? null;
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
