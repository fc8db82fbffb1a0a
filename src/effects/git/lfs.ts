/** What Git LFS keeps beside the commits goes to a remote before they do. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Git, gitSaid, TRANSFER_TIMEOUT_MS } from "./git-program.ts";

/**
 * Uploads the content of what a commit has as pointers, and the hub does not have yet. For a person's push a hook does it; ralph's own run
 * no hook, as an agent may have written it, and ask the same program themselves.
 * @param hub name, URL or path of the repository that the commit is to be pushed to
 * @returns why the commit may not be pushed: its content would be in this repository alone; null if nothing stands against it
 * @throws RalphError `environment` if the hub is not reached
 */
export async function uploadLfs(git: Git, hub: string, commit: string): Promise<string | null> {
  const shared = await git.need(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  // It is made with the first content; another place has to be set.
  const isKept = existsSync(join(shared, "lfs", "objects"));
  if (!isKept && (await git.run(["config", "--get", "lfs.storage"])).code !== 0) return null;
  const known = await lastKnown(git, hub, commit);
  if (known.length === 0) return null;
  const url = await urlOf(git, hub);
  // What git tells a pre-push hook: what is pushed, and what the remote has.
  const input = known.map((there) => `${commit} ${commit} ${commit} ${there}\n`).join("");
  const sent = await git.run(["lfs", "pre-push", url, url], { input, timeoutMs: TRANSFER_TIMEOUT_MS });
  if (sent.code === 0) return null;
  if (/'lfs' is not a git command/.test(sent.stderr))
    return "Git LFS has content of it in this clone alone, and git-lfs, which uploads that, is not installed here";
  return `what Git LFS has of it could not be uploaded: ${gitSaid(sent)}`;
}

/**
 * Of the commits that the hub has, those that new ones are made on; git's word for none where all are new. Without new ones: nothing. Of a
 * URL git-lfs does not know itself what is there.
 */
async function lastKnown(git: Git, hub: string, commit: string): Promise<string[]> {
  const tips = (await git.need(["ls-remote", "--quiet", "--heads", hub])).split("\n").filter((line) => line !== "");
  const input = [commit, ...tips.map((line) => `^${line.split("\t")[0]}`)].map((line) => `${line}\n`).join("");
  const listed = await git.need(["rev-list", "--ignore-missing", "--boundary", "--stdin"], { input });
  const ends = listed.split("\n").flatMap((line) => (line.startsWith("-") ? [line.slice(1)] : []));
  return listed !== "" && ends.length === 0 ? ["0".repeat(commit.length)] : ends;
}

/** git-lfs takes names and URLs of remotes; a path only as a URL. */
async function urlOf(git: Git, hub: string): Promise<string> {
  const path = resolve(git.dir, hub);
  if (!existsSync(path) || (await git.run(["remote", "get-url", hub])).code === 0) return hub;
  return pathToFileURL(path).href;
}
