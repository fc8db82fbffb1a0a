/** Reads objects of a repository: loose ones as files, packed ones by isomorphic-git, and those of other formats by git itself. */
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { objectByGit } from "./binary.ts";
import { type GitObject, type ObjectFormat, objectId, readLoose } from "./loose-objects.ts";
import { createObjectFs, withAlternates } from "./object-fs.ts";
import type { Repository } from "./repository.ts";

/** @throws Error if there is no such object, it cannot be read, or its content is another's: whoever writes there may have put it there */
export type ObjectReader = (id: string) => Promise<GitObject>;

export function createObjectReader(repository: Repository, format: ObjectFormat, env: EnvVars): ObjectReader {
  const gitdir = repository.commonDir;
  const fs = createObjectFs(gitdir);
  const stores = withAlternates(join(gitdir, "objects"));
  const cache = {};
  const packed = async (id: string): Promise<GitObject> => {
    if (format === "sha1") {
      const { readObject } = await import("isomorphic-git");
      const { type, object } = await readObject({ fs, gitdir, oid: id, format: "content", cache });
      return { kind: type, body: Buffer.from(object as Uint8Array) };
    }
    const found = objectByGit(repository, id, env);
    if (found === null)
      throw new Error(`the object ${id} cannot be read: it is packed with ${format}, and git did not find it`);
    return found;
  };
  const find = (id: string): GitObject | null => {
    for (const store of stores) {
      const loose = readLoose(store, id);
      if (loose !== null) return loose;
    }
    return null;
  };
  return async (id) => {
    if (!/^[0-9a-f]{40,64}$/.test(id)) throw new Error(`${JSON.stringify(id)} is no object's id`);
    const object = find(id) ?? (await packed(id));
    if (objectId(object.kind, object.body, format) !== id) throw new Error(`the object ${id} is damaged`);
    return object;
  };
}

/** The tree of a commit, which may be one itself. @throws Error */
export async function treeOf(read: ObjectReader, id: string): Promise<Buffer> {
  const { kind, body } = await read(id);
  if (kind === "tree") return body;
  const tree = /^tree ([0-9a-f]+)$/m.exec(body.toString("latin1"))?.[1];
  if (kind !== "commit" || tree === undefined) throw new Error(`the object ${id} is a ${kind}, not a commit`);
  return (await read(tree)).body;
}
