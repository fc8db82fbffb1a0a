/** Detects uncommitted work: a user wants to know of it before an agent starts to change files. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import {
  GITLINK,
  INTENT_TO_ADD,
  type IndexEntry,
  modeOf,
  oidOf,
  parseIndex,
  SKIP_WORKTREE,
  STAGE,
} from "../git/index-file.ts";
import { createObjectFs } from "../git/object-fs.ts";
import { readBytes } from "../git/read.ts";
import { readHead } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import type { Tracked } from "../git/tracked.ts";
import { treeId } from "../git/tree-id.ts";
import type { FileState, FolderState } from "../snapshot/folder-state.ts";
import { createLook } from "../snapshot/look.ts";

/**
 * Whether the project's files differ from the index (new ones count, `.ralph` does not), or the index from HEAD. False
 * outside a repository, before its first commit, and if it cannot be determined. Runs no program; never throws.
 * @param projectDir an existing folder
 */
export async function hasUncommitted(projectDir: string, env: EnvVars): Promise<boolean> {
  const project = realpathSync(projectDir);
  let isUnclear = false;
  const unclear = (): void => {
    isUnclear = true;
  };
  const look = createLook(project, { env, inside: false, warn: unclear });
  const place = look.locate();
  const { repository } = place;
  const head = repository === null ? null : readHead(repository).oid;
  if (repository === null || head === null) return false;
  const state = look.files(place, Date.now());
  if (isUnclear) return false;
  if (differs(state, place)) return true;
  try {
    return place.settings.objectFormat === "sha1" && (await isStaged(repository, head));
  } catch {
    return false; // an unreadable object or index proves nothing
  }
}

function differs(root: FolderState, { prefix, tracked }: { prefix: string; tracked: Tracked }): boolean {
  const folders = flatten(root, prefix);
  for (const [path, files] of folders) {
    const known = tracked.folders.get(path)?.files;
    for (const name of files.keys()) if (known?.has(name) !== true) return true;
  }
  for (const [path, { files, unwatched }] of tracked.folders) {
    if (path.startsWith(`${prefix}.ralph/`)) continue;
    for (const [name, entry] of files) {
      if (unwatched.includes(name)) continue;
      const file = folders.get(path)?.get(name);
      if (file === undefined ? !mayBeMissing(entry) : !isAsTracked(file, entry, tracked.width)) return true;
    }
  }
  return false;
}

function flatten(
  { files, folders }: FolderState,
  path: string,
  into = new Map<string, ReadonlyMap<string, FileState>>(),
) {
  into.set(path, files);
  for (const [name, folder] of folders) flatten(folder, `${path}${name}/`, into);
  return into;
}

function mayBeMissing(entry: IndexEntry): boolean {
  return modeOf(entry) === GITLINK || (entry.flags & SKIP_WORKTREE) !== 0;
}

/** A file too large to read counts as unchanged. */
function isAsTracked({ content, kind }: FileState, entry: IndexEntry, width: number): boolean {
  if (entry.flags & (STAGE | INTENT_TO_ADD)) return false;
  return kind === modeOf(entry) && (content === oidOf(entry, width) || content.startsWith("stat:"));
}

/** @throws if the index or the commit cannot be read */
async function isStaged(repository: Repository, head: string): Promise<boolean> {
  const index = parseIndex(readBytes(join(repository.gitDir, "index")) ?? Buffer.alloc(0), 20);
  // One half of a split index proves nothing.
  if (index.link !== null) return false;
  // An index that git wrote as a tree usually equals HEAD; the rare exception is not worth the cost of reading a pack.
  if (index.isWritten && !existsSync(join(repository.commonDir, "objects", head.slice(0, 2), head.slice(2))))
    return false;
  const { readCommit } = await import("isomorphic-git");
  const fs = createObjectFs(repository.commonDir);
  const { commit } = await readCommit({ fs, gitdir: repository.commonDir, oid: head });
  return commit.tree !== treeId(index.entries);
}
