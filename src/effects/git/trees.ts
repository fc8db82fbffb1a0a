/** Reads trees and file contents of commits, without a git program. */
import type { Content } from "../../core/diff/file-diff.ts";
import { SUBMODULE } from "../snapshot/folder-state.ts";
import { type ObjectReader, treeOf } from "./read-object.ts";
import { FOLDER_MODE, parseTree } from "./tree-bytes.ts";

/** A file of a tree: its mode in octal, and the id of its content. */
export type TreeFile = { mode: string; oid: string };

export type TreeReader = {
  /**
   * The files below a folder in which two commits differ, by path from that folder; `old` or `now` is null where there is none.
   * Equal folders are not read.
   * @param from null for nothing at all
   * @param prefix "" or ending in "/"
   * @throws if an object cannot be read
   */
  differences(
    from: string | null,
    to: string | null,
    prefix: string,
  ): Promise<Map<string, { old: TreeFile | null; now: TreeFile | null }>>;
  /** A file of a commit; null if it has none at that path. @throws if an object cannot be read */
  file(commit: string, path: string): Promise<TreeFile | null>;
  /** @throws if the object cannot be read */
  content(file: TreeFile): Promise<Content>;
};

/** Some small trees, each many times in the next, may name more files than there is room for. */
const MOST_ENTRIES = 2_000_000;
const MOST_PATH = 4096;

type Entry = TreeFile & { isFolder: boolean };

/** @param width bytes of an id */
export function createTreeReader(read: ObjectReader, width: number): TreeReader {
  async function entries(id: string | null): Promise<Map<string, Entry>> {
    if (id === null) return new Map();
    const tree = parseTree(await treeOf(read, id), width);
    return new Map(
      tree.map(({ name, mode, id: oid }) => [
        name,
        { mode: mode.padStart(6, "0"), oid, isFolder: mode === FOLDER_MODE },
      ]),
    );
  }

  /** The tree of a folder in a commit; null if it has none. */
  async function folderOf(commit: string | null, prefix: string): Promise<string | null> {
    let oid = commit;
    for (const name of prefix.split("/").slice(0, -1)) {
      const entry: Entry | undefined = (await entries(oid)).get(name);
      oid = entry?.isFolder === true ? entry.oid : null;
    }
    return oid;
  }

  return {
    async differences(from, to, prefix) {
      const found = new Map<string, { old: TreeFile | null; now: TreeFile | null }>();
      let looked = 0;
      const compare = async (before: string | null, after: string | null, path: string): Promise<void> => {
        if (before === after) return;
        const [old, now] = [await entries(before), await entries(after)];
        looked += old.size + now.size;
        if (looked > MOST_ENTRIES || path.length > MOST_PATH)
          throw new Error("the tree is too large to be a project's");
        for (const name of new Set([...old.keys(), ...now.keys()])) {
          const [a, b] = [old.get(name) ?? null, now.get(name) ?? null];
          if (a?.oid === b?.oid && a?.mode === b?.mode) continue;
          const [oldFolder, nowFolder] = [a, b].map((one) => (one?.isFolder === true ? one.oid : null));
          if (oldFolder != null || nowFolder != null)
            await compare(oldFolder ?? null, nowFolder ?? null, `${path}${name}/`);
          const [oldFile, nowFile] = [a, b].map((one) => (one === null || one.isFolder ? null : one));
          if (oldFile != null || nowFile != null)
            found.set(path + name, { old: oldFile ?? null, now: nowFile ?? null });
        }
      };
      await compare(await folderOf(from, prefix), await folderOf(to, prefix), "");
      return found;
    },
    async file(commit, path) {
      const slash = path.lastIndexOf("/") + 1;
      const entry = (await entries(await folderOf(commit, path.slice(0, slash)))).get(path.slice(slash));
      return entry === undefined || entry.isFolder ? null : { mode: entry.mode, oid: entry.oid };
    },
    async content({ mode, oid }) {
      const link = new TextEncoder().encode(`Subproject commit ${oid}\n`);
      if (mode === SUBMODULE.toString(8)) return { bytes: link, mode, id: oid };
      return { bytes: (await read(oid)).body, mode, id: oid };
    },
  };
}
