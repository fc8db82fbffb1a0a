/** Hashes a whole tree from hashes of its folders; an unchanged folder is not hashed again. */
import { createHash } from "node:crypto";
import type { FolderState } from "./folder-state.ts";

/** Equal names, contents and modes give an equal hash, whoever wrote them and when. */
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
