/** Computes the id of the tree that git would write from an index. */
import { type IndexEntry, modeOf, oidOf, SPARSE_FOLDER } from "./index-file.ts";
import { objectId } from "./loose-objects.ts";

const ID_BYTES = 20;

/** @param entries of a complete SHA-1 index, in git's order */
export function treeId(entries: readonly IndexEntry[]): string {
  return treeOf(entries, 0, "").id;
}

/**
 * The tree of the folder `prefix`, whose entries start at `from`. @returns its id and the index of the next entry after it
 */
function treeOf(entries: readonly IndexEntry[], from: number, prefix: string): { id: string; end: number } {
  const parts: Buffer[] = [];
  const add = (mode: number, name: string, id: string) =>
    parts.push(Buffer.from(`${mode.toString(8)} ${name}\0`), Buffer.from(id, "hex"));
  let at = from;
  for (let entry = entries[at]; entry?.path.startsWith(prefix) === true; entry = entries[at]) {
    const rest = entry.path.slice(prefix.length);
    const name = rest.split("/", 1)[0] ?? rest;
    if (name === rest || modeOf(entry) === SPARSE_FOLDER) {
      add(modeOf(entry), name, oidOf(entry, ID_BYTES));
      at += 1;
    } else {
      const { id, end } = treeOf(entries, at, `${prefix}${name}/`);
      add(SPARSE_FOLDER, name, id);
      at = end;
    }
  }
  const body = Buffer.concat(parts);
  return { id: objectId("tree", body, "sha1"), end: at };
}
