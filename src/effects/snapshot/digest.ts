/** One hash for a whole tree, from hashes of its folders: a folder that did not change is not hashed again. */
import { createHash } from "node:crypto";
import type { FolderState } from "./folder-state.ts";

/** The same names, contents and modes give the same hash, whenever and by whomever they were written. */
export function createDigest(): (state: FolderState) => string {
  const known = new WeakMap<FolderState, string>();
  const digest = (state: FolderState): string => {
    const old = known.get(state);
    if (old !== undefined) return old;
    const lines: string[] = [];
    for (const [name, { content, kind }] of state.files) lines.push(`${name}\0${kind.toString(8)} ${content}\n`);
    for (const [name, child] of state.folders) lines.push(`${name}\0folder ${digest(child)}\n`);
    const hash = createHash("sha1").update(lines.sort().join("")).digest("hex");
    known.set(state, hash);
    return hash;
  };
  return digest;
}
