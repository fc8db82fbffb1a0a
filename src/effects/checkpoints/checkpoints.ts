/** Makes checkpoints: the files of a project as a commit under `refs/ralph/`, without a git program, its index or its hooks. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { slashPath } from "../files/slash-path.ts";
import { oidOf } from "../git/index-file.ts";
import { hasLoose, type NewObject, objectId, readLoose, writeLoose } from "../git/loose-objects.ts";
import { encodePath } from "../git/names.ts";
import { openPacks } from "../git/pack-index.ts";
import type { Checkpoints, Snapshot } from "../ports.ts";
import type { ProjectPaths } from "../project/project-paths.ts";
import type { SeenTree } from "../project/workspace.ts";
import { LINK, REGULAR } from "../snapshot/folder-state.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { allPatterns, ownRulesText } from "../snapshot/rules.ts";
import type { OuterRules } from "./ignored.ts";
import { type CheckpointStore, checkpointStore, prepareStore } from "./store.ts";
import { createTreeWriter, type OwnFile, type TreeWriter } from "./tree-writer.ts";

/** Whose commits they are: nobody's who could be written to. */
const AUTHOR = "ralph <ralph@localhost>";
/** New content that is held in memory until a checkpoint is written; more is written while it is read. */
const MOST_HELD_BYTES = 4 * 1024 * 1024;

export type CheckpointOptions = {
  paths: Pick<ProjectPaths, "project" | "ralph" | "plan" | "agent">;
  env: EnvVars;
  /** More files below `.ralph` than those that an agent works on, by their paths from the project. */
  more?: readonly string[];
  /** What the workspace saw in a snapshot. */
  seen(snapshot: Snapshot): SeenTree;
  locate(): ProjectLocation;
  /** Epoch ms. */
  now(): number;
};

/** The checkpoints of one process: each builds on the last one that it made. */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { paths, env, seen, more = [] } = options;
  let series: Series | null = null;

  const read: Checkpoints["read"] = (tree, { run, name, message, onlyNew }) => {
    const now = seen(tree);
    const { root, place, head, nested } = now;
    const store = checkpointStore(place, paths.ralph, env);
    const objects = join(store.repository.commonDir, "objects");
    const became = becameOf(series, store);
    const lost = became === "lost" ? (series?.last?.ref ?? null) : null;
    if (series === null || became !== "goes on") series = begin(store);
    const { writer, held, last } = series;
    const isNewHead = head !== null && head !== last?.head;
    const packs = last === null || isNewHead ? openPacks(objects, place.tracked.width) : null;
    try {
      const isPacked = last === null && packs !== null ? packs.has : () => false;
      const own = [...new Set([...ownPaths(paths), ...more])].map((path) => ownFile(paths.project, path));
      const isThere = (id: string) => isPacked(id) || hasLoose(objects, id);
      const outer = outerRules(now, paths.project);
      const source = { project: paths.project, nested, outer, ...indexOf(now, isThere), isPacked };
      const written = writer.write(root, own, source);
      if (onlyNew && written.id === last?.tree) return null;
      // A HEAD without its commit would break each later `git gc`.
      const isCommit = isNewHead && (packs?.has(head) === true || readLoose(objects, head)?.kind === "commit");
      const parents = [last?.commit ?? null, isCommit ? head : null].filter((id) => id !== null);
      const ref = store.refsOf(run) + name;
      const body = commitText({ tree: written.id, parents, message, at: options.now() });
      const commit = objectId("commit", body, store.format);
      held.put({ id: commit, kind: "commit", body });
      const made = { commit, tree: written.id, ref, head, isWritten: false };
      const write = () => {
        held.flush();
        store.writeRef(ref, commit);
        made.isWritten = true;
      };
      series.last = made;
      return { commit, leftOut: [...written.leftOut], lost, write: () => startingAnewIfItFails(write) };
    } finally {
      packs?.close();
    }
  };

  const startingAnewIfItFails = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      // What was written has no ref, and may be gone by the next one.
      series = null;
      throw error;
    }
  };

  return {
    read: (tree, about) => startingAnewIfItFails(() => read(tree, about)),
    make(tree, about) {
      const made = startingAnewIfItFails(() => read(tree, about));
      made?.write();
      return made;
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
  held: HeldObjects;
  last: { commit: string; tree: string; ref: string; head: string | null; isWritten: boolean } | null;
};

/** New objects on their way to the disk. */
type HeldObjects = { put(object: NewObject): void; flush(): void };

function holdObjects(objects: string): HeldObjects {
  const held = new Map<string, NewObject>();
  let bytes = 0;
  const flush = () => {
    for (const object of held.values()) writeLoose(objects, object);
    held.clear();
    bytes = 0;
  };
  return {
    put(object) {
      if (held.has(object.id)) return;
      held.set(object.id, object);
      bytes += object.body.length;
      if (bytes > MOST_HELD_BYTES) flush();
    },
    flush,
  };
}

function begin(store: CheckpointStore): Series {
  prepareStore(store);
  const held = holdObjects(join(store.repository.commonDir, "objects"));
  return { store, held, writer: createTreeWriter(held.put, store.format), last: null };
}

/** Only one that goes on is built on: what was written may be gone with another repository, or with the ref that kept it from `git gc`. */
function becameOf(series: Series | null, store: CheckpointStore): "goes on" | "lost" | "other" {
  if (series === null || series.last === null) return "other";
  const { last } = series;
  const isSame =
    series.store.repository.commonDir === store.repository.commonDir && series.store.format === store.format;
  if (!isSame) return "other";
  return !last.isWritten || store.readRef(last.ref) === last.commit ? "goes on" : "lost";
}

/** Where a path lies: the repository of the project, or one inside it, and the path from the root of that. */
function placeOf({ place, inside }: Pick<SeenTree, "place" | "inside">, path: string) {
  // Most projects have none inside.
  for (let end = inside.size === 0 ? 0 : path.lastIndexOf("/") + 1; end > 0; end = path.lastIndexOf("/", end - 2) + 1) {
    const found = inside.get(path.slice(0, end));
    if (found !== undefined) return { at: found, own: false, path: path.slice(end) };
  }
  return { at: place, own: true, path: place.prefix + path };
}

/** @param isThere whether the repository of the project has an object: that of one inside it may go with its folder */
function indexOf(tree: SeenTree, isThere: (id: string) => boolean) {
  const { repository, prefix, settings } = tree.place;
  const entryAt = ({ at, path }: ReturnType<typeof placeOf>) => {
    const slash = path.lastIndexOf("/") + 1;
    return at.tracked.folders.get(path.slice(0, slash))?.files.get(path.slice(slash));
  };
  const above = prefix
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at).join("/"));
  return {
    converts:
      settings.converts ||
      (repository !== null && above.some((folder) => existsSync(join(repository.root, folder, ".gitattributes")))),
    mayConvert: (folder: string) =>
      tree.inside.get(folder)?.settings.converts === true ||
      entryAt(placeOf(tree, `${folder}.gitattributes`)) !== undefined,
    isIndexed(path: string, id: string): boolean {
      const place = placeOf(tree, path);
      const entry = repository === null ? undefined : entryAt(place);
      return entry !== undefined && oidOf(entry, place.at.tracked.width) === id && (place.own || isThere(id));
    },
  };
}

/** What the rules of this moment are, beside the files that a checkpoint has. */
function outerRules({ place, inside, hiddenRules }: SeenTree, project: string): OuterRules {
  const patternsOf = ({ outer }: ProjectLocation) => allPatterns(outer);
  return {
    prefix: place.prefix,
    patterns: patternsOf(place),
    hidden: hiddenRules.map((folder) => [folder, ownRulesText(join(project, folder, ".gitignore"))]),
    inside: [...inside].map(([folder, one]) => ({ folder, patterns: patternsOf(one) })),
  };
}

type CommitParts = { tree: string; parents: readonly string[]; message: string; at: number };

function commitText({ tree, parents, message, at }: CommitParts): Buffer {
  const who = `${AUTHOR} ${Math.floor(at / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`];
  return Buffer.from(`${lines.join("\n")}\n\n${message}\n`);
}

/** The plan, the agent file and the specs below `.ralph`, by their paths from the project: what an agent works on there. */
function ownPaths({ project, ralph, plan, agent }: CheckpointOptions["paths"]): string[] {
  if (!isRealFolder(ralph)) return [];
  const specs = join(ralph, "specs");
  const files = [plan, agent].filter((path) => path !== null).filter((path) => dirname(path) === ralph);
  return [...files, ...(isRealFolder(specs) ? filesIn(specs) : [])]
    .filter((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true || stat?.isSymbolicLink() === true;
    })
    .map((path) => slashPath(project, path));
}

/** An agent that writes by renaming puts a file in the place of a link, and an undo has to know that it was one. */
function ownFile(project: string, path: string): OwnFile {
  const isLink = lstatSync(encodePath(`${project}/${path}`), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return { path, kind: isLink ? LINK : REGULAR };
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Folders that are links are not followed. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
}
