/** Finds the repository that contains a folder, from files alone (gitrepository-layout manual). */
import { dirname, join, resolve } from "node:path";
import { isFolderAt, pathKind } from "../files/path-kind.ts";
import { readText } from "./read.ts";

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
    const repository = repositoryOf(root, kind);
    if (repository !== null || kind === "file" || dirname(root) === root) return repository;
  }
}

/** The repository whose working tree starts at `root` itself; null if none does. */
export function repositoryAt(root: string): Repository | null {
  return repositoryOf(root, pathKind(join(root, ".git")));
}

/** @param kind of `.git` */
function repositoryOf(root: string, kind: ReturnType<typeof pathKind>): Repository | null {
  const path = join(root, ".git");
  const gitDir = kind === "file" ? namedIn(path, root) : kind === "folder" ? path : null;
  if (gitDir === null || readText(join(gitDir, "HEAD")) === null) return null;
  const commonDir = commonDirOf(gitDir);
  const isWhole = isFolderAt(join(commonDir, "objects")) && isFolderAt(join(commonDir, "refs"));
  return isWhole ? { root, gitDir, commonDir } : null;
}

/** Where the `.git` file of a working tree or a submodule leads. */
function namedIn(path: string, root: string): string | null {
  const target = /^gitdir: ([^\r\n]+)/.exec(readText(path) ?? "")?.[1];
  return target === undefined ? null : resolve(root, target);
}

function commonDirOf(gitDir: string): string {
  const target = readText(join(gitDir, "commondir"))?.trim();
  return target === undefined || target === "" ? gitDir : resolve(gitDir, target);
}
