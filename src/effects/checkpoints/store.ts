/** Where a project keeps its checkpoints: in its repository, or in a small one of ralph's own, which any git can read too. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../files/private.ts";
import { createGitBinary } from "../git/binary.ts";
import type { ObjectFormat } from "../git/loose-objects.ts";
import { deleteRefs, listRefs, readRef, writeRef } from "../git/ref-files.ts";
import type { Repository } from "../git/repository.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";

export type CheckpointStore = {
  repository: Repository;
  format: ObjectFormat;
  /** @throws Error if the ref cannot be written */
  writeRef(name: string, id: string): void;
  readRef(name: string): string | null;
  /** @param prefix ending in "/" */
  listRefs(prefix: string): string[];
  /** @param prefix ending in "/" @throws Error if they cannot be deleted */
  deleteRefs(prefix: string): void;
};

/** The store of a project without a repository, below `.ralph/`. */
export const OWN_STORE = "checkpoints";

/** Makes nothing; `prepareStore` does. @param ralph the project's `.ralph` */
export function checkpointStore(
  { repository, settings }: Pick<ProjectLocation, "repository" | "settings">,
  ralph: string,
  env: EnvVars,
): CheckpointStore {
  if (repository === null) return ownStore(ralph);
  const format = settings.objectFormat === "sha256" ? "sha256" : "sha1";
  return settings.refStorage === "files"
    ? { repository, format, ...refFiles(repository.commonDir) }
    : { repository, format, ...refsByGit(repository, env) };
}

export function ownStore(ralph: string): CheckpointStore {
  const dir = join(ralph, OWN_STORE);
  return { repository: { root: dir, gitDir: dir, commonDir: dir }, format: "sha1", ...refFiles(dir) };
}

/** Makes the own store of a project; a repository is there already. @throws the file system's error */
export function prepareStore({ repository: { root, commonDir } }: CheckpointStore): void {
  if (root !== commonDir || existsSync(join(commonDir, "HEAD"))) return;
  // Not those above: a project that was moved away must not come back as an empty folder.
  for (const path of [commonDir, join(commonDir, "objects"), join(commonDir, "refs")])
    if (!existsSync(path)) mkdirSync(path, { mode: PRIVATE_FOLDER });
  // An older `.ralph/.gitignore` does not know this folder.
  writeFileSync(join(commonDir, ".gitignore"), "*\n", { mode: PRIVATE_FILE });
  const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
  writeFileSync(join(commonDir, "config"), config, { mode: PRIVATE_FILE });
  writeFileSync(join(commonDir, "HEAD"), "ref: refs/heads/none\n", { mode: PRIVATE_FILE });
}

type Refs = Pick<CheckpointStore, "writeRef" | "readRef" | "listRefs" | "deleteRefs">;

function refFiles(dir: string): Refs {
  return {
    writeRef: (name, id) => writeRef(dir, name, id),
    readRef: (name) => readRef(dir, name),
    listRefs: (prefix) => listRefs(dir, prefix),
    deleteRefs: (prefix) => deleteRefs(dir, prefix),
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
    deleteRefs(prefix) {
      for (const name of list(prefix)) must("update-ref", "-d", name);
    },
  };
}
