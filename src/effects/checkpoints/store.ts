/** Where a project keeps its checkpoints: in its repository, or in a small one of ralph's own, which any git can read too. */
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { createGitBinary } from "../git/binary.ts";
import type { ObjectFormat } from "../git/loose-objects.ts";
import { projectMark } from "../git/project-mark.ts";
import { deleteRefs, listRefs, readRef, writeRef } from "../git/ref-files.ts";
import type { Repository } from "../git/repository.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";

export type CheckpointStore = {
  repository: Repository;
  format: ObjectFormat;
  /** Where the refs of a run's checkpoints begin; ends in "/". Projects and working trees of one repository have their own. */
  refsOf(run: string): string;
  /** @throws Error if the ref cannot be written */
  writeRef(name: string, id: string): void;
  readRef(name: string): string | null;
  /** @param prefix ending in "/" */
  listRefs(prefix: string): string[];
  /** @param prefixes each ends in "/" @throws Error if they cannot be deleted */
  deleteRefs(prefixes: readonly string[]): void;
};

/** The store of a project without a repository, below `.ralph/`. */
export const OWN_STORE = "checkpoints";

/** Makes nothing; `prepareStore` does. @param ralph the project's `.ralph` */
export function checkpointStore(
  { repository, prefix, settings }: Pick<ProjectLocation, "repository" | "prefix" | "settings">,
  ralph: string,
  env: EnvVars,
): CheckpointStore {
  if (repository === null) return ownStore(ralph);
  const format = settings.objectFormat === "sha256" ? "sha256" : "sha1";
  // Runs of two projects may begin in the same second, and have the same name then.
  const mark = projectMark(repository, prefix);
  const refsOf = (run: string) => `refs/ralph/${run}${mark === null ? "" : `.${mark}`}/`;
  return settings.refStorage === "files"
    ? { repository, format, refsOf, ...refFiles(repository.commonDir) }
    : { repository, format, refsOf, ...refsByGit(repository, env) };
}

export function ownStore(ralph: string): CheckpointStore {
  const dir = join(ralph, OWN_STORE);
  const repository = { root: dir, gitDir: dir, commonDir: dir };
  return { repository, format: "sha1", refsOf: (run) => `refs/ralph/${run}/`, ...refFiles(dir) };
}

/** Whether the own store is one: a link in it would lead elsewhere. */
export function isOwnStore({ repository: { root, commonDir } }: CheckpointStore): boolean {
  return root === commonDir && foldersOf(commonDir).every((path) => kindOf(path) === "folder");
}

function foldersOf(dir: string): string[] {
  return [dir, join(dir, "objects"), join(dir, "refs")];
}

function kindOf(path: string): "folder" | "other" | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.isDirectory() ? "folder" : "other";
}

/**
 * Makes the own store of a project; a repository is there already.
 * @throws the file system's error, or one of a link in its place
 */
export function prepareStore({ repository: { root, commonDir } }: CheckpointStore): void {
  if (root !== commonDir) return;
  // Not those above: a project that was moved away must not come back as an empty folder.
  for (const path of foldersOf(commonDir)) {
    const kind = kindOf(path);
    if (kind === null) mkdirSync(path, { mode: PRIVATE_FOLDER });
    else if (kind === "other") throw new Error(`${path} is no folder`);
  }
  if (kindOf(join(commonDir, "HEAD")) !== null) return;
  // An older `.ralph/.gitignore` does not know this folder.
  writeFileAtomic(join(commonDir, ".gitignore"), "*\n");
  const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
  writeFileAtomic(join(commonDir, "config"), config);
  writeFileAtomic(join(commonDir, "HEAD"), "ref: refs/heads/none\n");
}

type Refs = Pick<CheckpointStore, "writeRef" | "readRef" | "listRefs" | "deleteRefs">;

function refFiles(dir: string): Refs {
  return {
    writeRef: (name, id) => writeRef(dir, name, id),
    readRef: (name) => readRef(dir, name),
    listRefs: (prefix) => listRefs(dir, prefix),
    deleteRefs: (prefixes) => deleteRefs(dir, prefixes),
  };
}

/** For refs that are no files (reftable). A hook of the repository is not run. */
function refsByGit(repository: Repository, env: EnvVars): Refs {
  const git = createGitBinary(env);
  const ask = (...args: string[]) => git(repository, ["-c", "core.hooksPath=/dev/null", ...args]);
  const must = (...args: string[]): string => {
    const said = ask(...args);
    if (said === null)
      throw new Error(`git ${args.join(" ")} failed; refs of this repository are written by git alone`);
    return said;
  };
  const list = (prefix: string) =>
    must("for-each-ref", "--format=%(refname)", prefix)
      .split("\n")
      .filter((name) => name !== "");
  return {
    writeRef: (name, id) => void must("update-ref", name, id),
    readRef: (name) => ask("rev-parse", "--verify", "--quiet", name),
    listRefs: list,
    deleteRefs(prefixes) {
      for (const name of prefixes.flatMap(list)) must("update-ref", "-d", name);
    },
  };
}
