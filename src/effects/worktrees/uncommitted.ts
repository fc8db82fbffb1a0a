/** Work in a worktree that no commit has. */
import { RalphError } from "../../core/errors.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { type Git, gitError } from "../git/git-program.ts";
import type { WorktreeRecord } from "./record.ts";

/**
 * Sees that the worktree has no work that is in no commit; what came along and what is ralph's own is none.
 * @throws RalphError `environment` with the first path of it
 */
export async function mustBeCommitted(
  git: Git,
  { name, brought, prefix }: WorktreeRecord,
  hint: string | null = null,
): Promise<void> {
  const own = new Set(brought);
  const state = `${prefix === "" ? "" : `${prefix}/`}.ralph/`;
  const args = ["status", "--porcelain", "-z", "--no-renames", "-uall"];
  const status = await git.run(args);
  if (status.code !== 0) throw gitError(args, status);
  const changed = status.stdout
    .split("\0")
    .map((line) => line.slice("?? ".length))
    .filter((path) => path !== "" && !own.has(path) && !path.startsWith(state));
  if (changed.length > 0)
    throw new RalphError(
      "environment",
      `The worktree ${name} has changes that are in no commit: ${firstNames(changed, 1)}`,
      { hint },
    );
}
