/** Makes checkpoints: the files of a project as a commit under `refs/ralph/`, without a git program, its index or its hooks. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { oidOf } from "../git/index-file.ts";
import { readLoose, writeLoose } from "../git/loose-objects.ts";
import { openPacks } from "../git/pack-index.ts";
import type { Checkpoints, Snapshot } from "../ports.ts";
import type { ProjectPaths } from "../project/project-paths.ts";
import type { SeenTree } from "../project/workspace.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { type CheckpointStore, checkpointStore, prepareStore } from "./store.ts";
import { createTreeWriter, type TreeWriter } from "./tree-writer.ts";

/** Whose commits they are: nobody's who could be written to. */
const AUTHOR = "ralph <ralph@localhost>";

export type CheckpointOptions = {
  paths: Pick<ProjectPaths, "project" | "ralph" | "plan" | "agent">;
  env: EnvVars;
  /** What the workspace saw in a snapshot. */
  seen(snapshot: Snapshot): SeenTree;
  snapshot(): Promise<Snapshot>;
  locate(): ProjectLocation;
  /** Epoch ms. */
  now(): number;
};

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { paths, env, seen, now } = options;
  let series: Series | null = null;

  const make: Checkpoints["make"] = (tree, { run, name, message, onlyNew }) => {
    const { root, place, head } = seen(tree);
    const store = checkpointStore(place, paths.ralph, env);
    const objects = join(store.repository.commonDir, "objects");
    series = goingOn(series, store) ?? begin(store);
    const { writer, last } = series;
    const isNewHead = head !== null && head !== last?.head;
    const packs = last === null || isNewHead ? openPacks(objects, place.tracked.width) : null;
    try {
      const isPacked = last === null && packs !== null ? packs.has : () => false;
      const written = writer.write(root, ownFiles(paths), { project: paths.project, ...indexOf(place), isPacked });
      if (onlyNew && written.id === last?.tree) return null;
      // A HEAD without its commit would break each later `git gc`.
      const isCommit = isNewHead && (packs?.has(head) === true || readLoose(objects, head)?.kind === "commit");
      const parents = [last?.commit ?? null, isCommit ? head : null].filter((id) => id !== null);
      const ref = store.refsOf(run) + name;
      const commit = writeCommit(store, { tree: written.id, parents, message, at: now() });
      store.writeRef(ref, commit);
      series.last = { commit, tree: written.id, ref, head };
      return { commit, leftOut: [...written.leftOut] };
    } finally {
      packs?.close();
    }
  };

  return {
    make(tree, about) {
      try {
        return make(tree, about);
      } catch (error) {
        // What it wrote has no ref, and may be gone by the next one.
        series = null;
        throw error;
      }
    },
    // A run never gives anything back: it need not wait for this code at its start.
    restore: async (asked) => (await import("./give-back.ts")).restore(options, asked),
    takeBack: async (asked) => (await import("./give-back.ts")).takeBack(options, asked),
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
  const entryOf = (path: string) => {
    const slash = path.lastIndexOf("/") + 1;
    return tracked.folders.get(prefix + path.slice(0, slash))?.files.get(path.slice(slash));
  };
  const above = prefix
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at).join("/"));
  return {
    converts:
      settings.converts ||
      (repository !== null && above.some((folder) => existsSync(join(repository.root, folder, ".gitattributes")))),
    hasAttributes: (folder: string) => entryOf(`${folder}.gitattributes`) !== undefined,
    isIndexed(path: string, id: string): boolean {
      const entry = repository === null ? undefined : entryOf(path);
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

/** The plan, the agent file and the specs below `.ralph`: what an agent works on there. Paths from the project; links lead elsewhere. */
function ownFiles({ project, ralph, plan, agent }: CheckpointOptions["paths"]): string[] {
  if (!isRealFolder(ralph)) return [];
  const specs = join(ralph, "specs");
  const files = [plan, agent].filter((path) => path !== null).filter((path) => dirname(path) === ralph);
  return [...files, ...(isRealFolder(specs) ? filesIn(specs) : [])]
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => relative(project, path).split(sep).join("/"));
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Folders that are links are not followed. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
