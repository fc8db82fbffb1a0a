/** The files of a snapshot as git objects: the bytes as they lie on the disk, and only those that no object has yet. */
import { readlinkSync } from "node:fs";
import { readRegularItself } from "../files/regular-file.ts";
import { type NewObject, type ObjectFormat, objectId } from "../git/loose-objects.ts";
import { encodePath } from "../git/names.ts";
import { FOLDER_MODE, formatTree, isTreeName, type TreeEntry } from "../git/tree-bytes.ts";
import { MAX_HASHED_BYTES } from "../snapshot/content.ts";
import { type FileState, type FolderState, LINK, REGULAR, SUBMODULE } from "../snapshot/folder-state.ts";
import { formatOuterRules, OUTER_RULES, type OuterRules } from "./ignored.ts";
import { formatLeftOut, LEFT_OUT } from "./left-out.ts";

/** A checkpoint writes at most so much: a folder full of data must not delay the loop for long. The next one goes on. */
const MOST_NEW_BYTES = 256 * 1024 * 1024;
const MOST_NEW_FILES = 20_000;

/** How much more may be written. */
type Room = { bytes: number; files: number };

export type TreeSource = {
  /** The project's folder, absolute. */
  project: string;
  /** Folders whose files are not the project's: paths ending in "/". */
  nested: readonly string[];
  /** What is ignored by rules from elsewhere. */
  outer: OuterRules;
  /** Whether the repository has an object for a file without anyone writing it: an index names it. */
  isIndexed(path: string, id: string): boolean;
  /**
   * Whether git may convert files of a folder, "" or ending in "/", by more than a `.gitattributes` that is there: one that only the index
   * has, or settings of a repository that begins there.
   */
  mayConvert(folder: string): boolean;
  /** Git converts files of this project whatever `.gitattributes` says (core.autocrlf, attributes of the user). */
  converts: boolean;
  /** Whether a pack has the object; asked in a first checkpoint only, when nothing is known yet. */
  isPacked(id: string): boolean;
};

/** The id of a tree, and the paths of files that it lacks: too large to keep, or unreadable. */
export type WrittenTree = { id: string; leftOut: readonly string[] };

export type TreeWriter = {
  /**
   * Reads what is new, and hands its objects on. An unchanged folder costs nothing.
   * @param own files below `.ralph/`, which snapshots leave out, by their paths from the project
   * @throws what `put` throws; the tree is not there then
   */
  write(root: FolderState, own: readonly OwnFile[], source: TreeSource): WrittenTree;
};

/** A file below `.ralph/`, or a link there, of which a checkpoint has where it leads. */
export type OwnFile = { path: string; kind: typeof REGULAR | typeof LINK };

/** @param put keeps an object: nothing that it took may be lost while the writer is used */
export function createTreeWriter(put: (object: NewObject) => void, format: ObjectFormat): TreeWriter {
  const trees = new WeakMap<FolderState, WrittenTree>();
  const blobs = new WeakMap<FileState, string>();

  const write = (kind: "blob" | "tree", body: Uint8Array, { isPacked }: TreeSource): string => {
    const id = objectId(kind, body, format);
    if (!isPacked(id)) put({ id, kind, body });
    return id;
  };

  /** Null for what is gone, unreadable or too large. */
  const contentOf = (path: string, kind: number, { project }: TreeSource, left: Room): Buffer | null => {
    const location = encodePath(`${project}/${path}`);
    if (left.files <= 0) return null;
    try {
      if (kind === LINK) return readlinkSync(location, { encoding: "buffer" });
      const bytes = readRegularItself(location, Math.min(MAX_HASHED_BYTES, left.bytes));
      left.bytes -= bytes.length;
      return bytes;
    } catch {
      return null;
    }
  };

  return {
    write(root, own, source) {
      const left = { bytes: MOST_NEW_BYTES, files: MOST_NEW_FILES };

      const blobOf = (path: string, state: FileState, converts: boolean): string | null => {
        const known = blobs.get(state);
        if (known !== undefined) return known;
        if (state.kind === SUBMODULE) return state.content;
        const isIndexed = source.isIndexed(path, state.content);
        if (isIndexed && !converts) return state.content;
        const bytes = contentOf(path, state.kind, source, left);
        if (bytes === null) return null;
        const isSame = isIndexed && objectId("blob", bytes, format) === state.content;
        const id = isSame ? state.content : write("blob", bytes, source);
        if (!isSame) left.files -= 1;
        blobs.set(state, id);
        return id;
      };

      const entriesOf = (folder: FolderState, path: string, converted: boolean): Entries => {
        const converts = converted || folder.files.has(".gitattributes") || source.mayConvert(path);
        const entries: TreeEntry[] = [];
        const leftOut: string[] = [];
        for (const [name, state] of folder.files) {
          if (state.isHead === true) continue;
          const id = isTreeName(name) ? blobOf(path + name, state, converts) : null;
          if (id === null) leftOut.push(path + name);
          else entries.push({ name, mode: state.kind.toString(8), id });
        }
        for (const [name, child] of folder.folders) {
          if (!isTreeName(name)) {
            leftOut.push(path + name);
            continue;
          }
          const tree = treeOf(child, `${path}${name}/`, converts);
          for (const one of tree.leftOut) leftOut.push(one);
          entries.push({ name, mode: FOLDER_MODE, id: tree.id });
        }
        return { entries, leftOut };
      };
      const treeOf = (folder: FolderState, path: string, converted: boolean): WrittenTree => {
        const known = trees.get(folder);
        if (known !== undefined) return known;
        const { entries, leftOut } = entriesOf(folder, path, converted);
        const written = { id: write("tree", formatTree(entries), source), leftOut };
        // What was left out may fit into the next one.
        if (leftOut.length === 0) trees.set(folder, written);
        return written;
      };

      /** The tree of files that are read each time. @param prefix "" or ending in "/" @param files by path */
      const ownEntries = (prefix: string, files: ReadonlyMap<string, OwnContent>): TreeEntry[] => {
        const below = [...files.keys()].filter((path) => path.startsWith(prefix));
        const names = new Set(below.map((path) => path.slice(prefix.length).split("/", 1)[0] ?? ""));
        return [...names].flatMap((name): TreeEntry[] => {
          const path = prefix + name;
          const file = files.get(path);
          if (file === undefined)
            return [{ name, mode: FOLDER_MODE, id: write("tree", formatTree(ownEntries(`${path}/`, files)), source) }];
          return [{ name, mode: file.kind.toString(8), id: write("blob", file.bytes, source) }];
        });
      };
      const { entries, leftOut } = entriesOf(root, "", source.converts);
      const files = new Map<string, OwnContent>();
      for (const { path, kind } of own) {
        const bytes = contentOf(path, kind, source, left);
        if (bytes === null) leftOut.push(path);
        else files.set(path, { kind, bytes });
      }
      const lacks = [...leftOut, ...source.nested];
      if (lacks.length > 0) files.set(LEFT_OUT, { kind: REGULAR, bytes: formatLeftOut(lacks) });
      const outer = formatOuterRules(source.outer);
      if (outer !== null) files.set(OUTER_RULES, { kind: REGULAR, bytes: outer });
      return { id: write("tree", formatTree([...entries, ...ownEntries("", files)]), source), leftOut };
    },
  };
}

type OwnContent = Pick<OwnFile, "kind"> & { bytes: Buffer };

type Entries = { entries: TreeEntry[]; leftOut: string[] };
