/** Makes checkpoints: the files of a project as a commit under `refs/ralph/`, without a git program, its index or its hooks. */
import { lstatSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { oidOf } from "../git/index-file.ts";
import { writeLoose } from "../git/loose-objects.ts";
import { openPacks } from "../git/pack-index.ts";
import type { Checkpoints, MadeCheckpoint, Snapshot } from "../ports.ts";
import type { ProjectPaths } from "../project/project-paths.ts";
import type { SeenTree } from "../project/workspace.ts";
import { REGULAR } from "../snapshot/folder-state.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { readCheckpoints } from "./read-checkpoints.ts";
import { applyChanges, changesTo } from "./restore.ts";
import { type CheckpointStore, checkpointStore, prepareStore } from "./store.ts";
import { changesWithout } from "./take-back.ts";
import { createTreeWriter, type TreeWriter } from "./tree-writer.ts";

/** Whose commits they are: nobody's who could be written to. */
const AUTHOR = "ralph <ralph@localhost>";

export type CheckpointOptions = {
  paths: Pick<ProjectPaths, "project" | "ralph" | "plan" | "agent">;
  env: EnvVars;
  /** What the workspace saw in a snapshot. */
  seen(snapshot: Snapshot): SeenTree;
  locate(): ProjectLocation;
  /** Epoch ms. */
  now(): number;
};

/** The name of a checkpoint's ref. */
export function checkpointRef(run: string, name: string): string {
  return `refs/ralph/${run}/${name}`;
}

export function createCheckpoints({ paths, env, seen, locate, now }: CheckpointOptions): Checkpoints {
  let series: Series | null = null;
  return {
    make(snapshot, { run, name, message, onlyNew }): MadeCheckpoint | null {
      const { root, place, head } = seen(snapshot);
      const store = checkpointStore(place, paths.ralph, env);
      series = goingOn(series, store) ?? begin(store);
      const { writer, last } = series;
      const isFirst = last === null;
      const packs = isFirst ? openPacks(join(store.repository.commonDir, "objects"), place.tracked.width) : null;
      try {
        const source = { project: paths.project, ...indexOf(place), isPacked: packs?.has ?? (() => false) };
        const tree = writer.write(root, ownFiles(paths), source);
        if (onlyNew && tree.id === last?.tree) return null;
        const parents = [last?.commit ?? null, head === last?.head ? null : head].filter((id) => id !== null);
        const ref = checkpointRef(run, name);
        const commit = writeCommit(store, { tree: tree.id, parents, message, at: now() });
        store.writeRef(ref, commit);
        series.last = { commit, tree: tree.id, ref, head };
        return { commit, leftOut: [...tree.leftOut] };
      } finally {
        packs?.close();
      }
    },
    async restore({ from, to, aside }) {
      const { changes, submodules } = await changesTo(readCheckpoints(locate(), paths.ralph, env), from, to);
      const done = applyChanges(paths.project, changes, aside);
      return { ...done, left: [...submodules.map((path) => `${path.toWellFormed()} (a submodule)`), ...done.left] };
    },
    async takeBack({ from, steps, plan, aside }) {
      const reader = readCheckpoints(locate(), paths.ralph, env);
      const { changes, conflicts } = await changesWithout(reader, from, steps, plan?.path ?? null);
      if (conflicts.length > 0) return { conflicts };
      const file = plan === null ? null : { mode: REGULAR, bytes: Buffer.from(plan.text) };
      const ticks = plan === null ? [] : [{ path: plan.path, isKept: true, file }];
      return applyChanges(paths.project, [...changes, ...ticks], aside);
    },
  };
}

/** Checkpoints that build on each other. */
type Series = {
  store: CheckpointStore;
  writer: TreeWriter;
  last: { commit: string; tree: string; ref: string; head: string | null } | null;
};

function begin(store: CheckpointStore): Series {
  prepareStore(store);
  const objects = join(store.repository.commonDir, "objects");
  return { store, writer: createTreeWriter(objects, store.format), last: null };
}

/** Null where what was written may be gone: another repository, or the ref that kept it from `git gc`. */
function goingOn(series: Series | null, store: CheckpointStore): Series | null {
  if (series === null || series.last === null) return null;
  const isSame =
    series.store.repository.commonDir === store.repository.commonDir && series.store.format === store.format;
  return isSame && store.readRef(series.last.ref) === series.last.commit ? series : null;
}

function indexOf({ repository, prefix, settings, tracked }: ProjectLocation) {
  return {
    converts: settings.converts,
    isIndexed(path: string, id: string): boolean {
      if (repository === null) return false;
      const slash = path.lastIndexOf("/") + 1;
      const entry = tracked.folders.get(prefix + path.slice(0, slash))?.files.get(path.slice(slash));
      return entry !== undefined && oidOf(entry, tracked.width) === id;
    },
  };
}

type CommitParts = { tree: string; parents: readonly string[]; message: string; at: number };

function writeCommit({ repository, format }: CheckpointStore, { tree, parents, message, at }: CommitParts): string {
  const who = `${AUTHOR} ${Math.floor(at / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`];
  const body = Buffer.from(`${lines.join("\n")}\n\n${message}\n`);
  return writeLoose(join(repository.commonDir, "objects"), "commit", body, format);
}

/** The plan, the agent file and the specs below `.ralph`: what an agent works on there. Paths from the project. */
function ownFiles({ project, ralph, plan, agent }: CheckpointOptions["paths"]): string[] {
  const files = [plan, agent].filter((path) => path !== null).filter((path) => path.startsWith(ralph + sep));
  return [...files, ...filesBelow(join(ralph, "specs"))]
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => relative(project, path).split(sep).join("/"));
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return []; // no such folder
  }
}
