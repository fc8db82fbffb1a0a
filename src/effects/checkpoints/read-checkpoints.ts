/** Reads the trees of checkpoints, wherever they are kept: a folder may have got or lost its repository since. */
import type { EnvVars } from "../../core/env-vars.ts";
import { createObjectReader, type ObjectReader } from "../git/read-object.ts";
import { createTreeReader, type TreeReader } from "../git/trees.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { ignoredBy, OUTER_RULES } from "./ignored.ts";
import { LEFT_OUT, type LeftOut, leftOutOf } from "./left-out.ts";
import { checkpointStore, isOwnStore, ownStore } from "./store.ts";

/** Its differences leave out what one of two checkpoints lacks, but for files that only `from` lacks and `to` has. */
export type CheckpointReader = TreeReader & {
  /** What a checkpoint lacks. @throws Error if it cannot be read */
  leftOut(commit: string): Promise<LeftOut>;
  /** Whether a path would have been ignored when a checkpoint was made. @throws Error if that cannot be read */
  ignored(commit: string): Promise<(path: string) => Promise<boolean>>;
  /** The paths that only `from` has. */
  onlyIn(from: string, to: string): Promise<string[]>;
  /** Whether a checkpoint's commit is still there. */
  has(commit: string): Promise<boolean>;
};

/** @param ralph the project's `.ralph` */
export function readCheckpoints(
  place: Pick<ProjectLocation, "repository" | "prefix" | "settings">,
  ralph: string,
  env: EnvVars,
): CheckpointReader {
  const own = [ownStore(ralph)].filter(isOwnStore);
  const stores = place.repository === null ? own : [checkpointStore(place, ralph, env), ...own];
  const readers = stores.map(({ repository, format }) => createObjectReader(repository, format, env));
  const read: ObjectReader = async (id) => {
    const failures: unknown[] = [];
    for (const one of readers) {
      try {
        return await one(id);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0] ?? new Error("there are no checkpoints here");
  };
  const trees = createTreeReader(read, place.settings.objectFormat === "sha256" ? 32 : 20);
  return {
    ...trees,
    async differences(from, to, prefix) {
      const found = await trees.differences(from, to, prefix);
      const lacks = await leftOutOf(trees, read, to);
      for (const own of [LEFT_OUT, OUTER_RULES]) found.delete(own);
      for (const [path, { now }] of found) if (now === null && lacks.has(path)) found.delete(path);
      return found;
    },
    leftOut: (commit) => leftOutOf(trees, read, commit),
    ignored: (commit) => ignoredBy(trees, read, { commit, ignoreCase: place.settings.ignoreCase }),
    async onlyIn(from, to) {
      const found = await trees.differences(from, to, "");
      return [...found].flatMap(([path, { now }]) => (now === null ? [path] : []));
    },
    has: (commit) =>
      read(commit).then(
        () => true,
        () => false,
      ),
  };
}
