/** Work in a worktree that no commit has: what came along and what is ralph's own is none. */
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { createGit, type Git, gitError } from "../git/git-program.ts";
import { readRecord, rootOf, type WorktreeRecord } from "./record.ts";

/**
 * Sees that a worktree has none.
 * @throws RalphError `environment` with the first path of it
 */
export async function mustBeCommitted(git: Git, record: WorktreeRecord, hint: string | null = null): Promise<void> {
  const changed = await changedIn(git, record);
  if (changed.length > 0)
    throw new RalphError(
      "environment",
      `The worktree ${record.name} has changes that are in no commit: ${firstNames(changed, 1)}`,
      { hint },
    );
}

/** Paths from the root of a worktree; none where that cannot be told. */
export async function uncommittedIn(owner: string, name: string, env: EnvVars): Promise<string[]> {
  try {
    const record = readRecord(owner, name);
    return record === null ? [] : await changedIn(createGit(rootOf(owner, name), env), record);
  } catch {
    return [];
  }
}

/** @throws RalphError `environment` if git cannot tell */
async function changedIn(git: Git, { brought, prefix }: WorktreeRecord): Promise<string[]> {
  const own = new Set(brought);
  const state = `${prefix === "" ? "" : `${prefix}/`}.ralph/`;
  const args = ["status", "--porcelain", "-z", "--no-renames", "-uall"];
  const status = await git.run(args);
  if (status.code !== 0) throw gitError(args, status);
  return status.stdout
    .split("\0")
    .map((line) => line.slice("?? ".length))
    .filter((path) => path !== "" && !own.has(path) && !path.startsWith(state));
}
