import { type Git, TRANSFER_TIMEOUT_MS } from "../git/git-program.ts";

/**
 * Has the history that the checkout and a commit of the hub share, before a merge of the two: a shallow clone may lack it, and git then calls
 * them unrelated. All of it is fetched, since nobody knows how far back it goes.
 * @throws RalphError `environment` if the hub is not reached
 */
export async function needCommonHistory(git: Git, { hub, commit }: { hub: string; commit: string }): Promise<void> {
  if ((await git.run(["merge-base", "HEAD", commit])).code === 0) return;
  if ((await git.need(["rev-parse", "--is-shallow-repository"])) !== "true") return;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--unshallow", hub];
  await git.need(args, { timeoutMs: TRANSFER_TIMEOUT_MS });
}
