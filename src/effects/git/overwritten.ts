/** Files of a person that a rebase would overwrite: git takes what it ignores for expendable. */
import { lstatSync } from "node:fs";
import type { Git } from "./git-program.ts";

/** Paths in one call of git: a command line has a limit. */
const BATCH = 500;

/**
 * What stands in a checkout, and in no commit, where a rebase puts files: those that the other branch has and HEAD has not, and those of
 * any commit that is made again, though a later one takes them away.
 * @returns paths from the root
 * @throws RalphError `environment` if git fails
 */
export async function overwrittenByRebase(git: Git, onto: string): Promise<string[]> {
  const root = await git.need(["rev-parse", "--show-toplevel"]);
  const names = ["--diff-filter=A", "--no-renames", "--no-ext-diff", "--name-only", "-z"];
  const theirs = await git.need(["-C", root, "diff", ...names, "HEAD", onto]);
  const ours = await git.need(["-C", root, "log", "--format=", "--no-show-signature", ...names, `${onto}..HEAD`]);
  const paths = [...new Set([...split(theirs), ...split(ours)])];
  const standing = [...new Set(paths.flatMap((path) => standingAt(root, path) ?? []))];
  const found: string[] = [];
  for (let at = 0; at < standing.length; at += BATCH) {
    const literal = standing.slice(at, at + BATCH).map((path) => `:(literal)${path}`);
    found.push(...split(await git.need(["-C", root, "ls-files", "-z", "--others", "--", ...literal])));
  }
  return found;
}

function split(listed: string): string[] {
  return listed.split("\0").filter((path) => path !== "");
}

/** The path, or what takes the place of one of its folders; null if nothing does. */
function standingAt(root: string, path: string): string | null {
  const folders = path.split("/").slice(0, -1);
  for (const [depth] of folders.entries()) {
    const folder = folders.slice(0, depth + 1).join("/");
    const stat = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (!stat.isDirectory()) return folder;
  }
  return lstatSync(`${root}/${path}`, { throwIfNoEntry: false }) === undefined ? null : path;
}
