/** Finds the repository that contains a folder, from files alone (gitrepository-layout manual). */
import { dirname, join, resolve } from "node:path";
import { isFolder, pathKind, readText } from "./read.ts";

export type Repository = {
  /** Top folder of the working tree. */
  root: string;
  /** What only this working tree has: HEAD, index. */
  gitDir: string;
  /** What all working trees share: objects, branches, config. */
  commonDir: string;
};

/**
 * The repository around `folder` (absolute, links resolved), or null. Ignores GIT_DIR and similar: a git hook of another
 * repository may have started ralph. A broken `.git` file ends the search, as in git.
 */
export function discoverRepository(folder: string): Repository | null {
  for (let root = folder; ; root = dirname(root)) {
    const kind = pathKind(join(root, ".git"));
    const gitDir = kind === null ? null : gitDirOf(root);
    if (gitDir !== null) return { root, gitDir, commonDir: commonDirOf(gitDir) };
    if (kind === "file" || dirname(root) === root) return null;
  }
}

/** The repository whose working tree starts at `root` itself; null if none does. */
export function repositoryAt(root: string): Repository | null {
  const gitDir = gitDirOf(root);
  return gitDir === null ? null : { root, gitDir, commonDir: commonDirOf(gitDir) };
}

function gitDirOf(root: string): string | null {
  const path = join(root, ".git");
  const kind = pathKind(path);
  if (kind === "folder") return isGitDir(path) ? path : null;
  if (kind === null) return null;
  const target = /^gitdir: ([^\r\n]+)/.exec(readText(path) ?? "")?.[1];
  if (target === undefined) return null;
  const gitDir = resolve(root, target);
  return isGitDir(gitDir) ? gitDir : null;
}

function commonDirOf(gitDir: string): string {
  const target = readText(join(gitDir, "commondir"))?.trim();
  return target === undefined || target === "" ? gitDir : resolve(gitDir, target);
}

function isGitDir(path: string): boolean {
  if (readText(join(path, "HEAD")) === null) return false;
  const common = commonDirOf(path);
  return isFolder(join(common, "objects")) && isFolder(join(common, "refs"));
}
