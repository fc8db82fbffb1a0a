/** Frees the space of a project's own store, which no `git gc` ever visits. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readLoose } from "../git/loose-objects.ts";
import { readRef } from "../git/ref-files.ts";
import { parseTree } from "../git/tree-bytes.ts";

const ID_BYTES = 20;

/**
 * Deletes the objects that no ref leads to; call it only while nobody writes there.
 * @param dir the store @param refs the names of all its refs
 * @throws the file system's error, or one of a damaged object; whatever a ref leads to is there then
 */
export function sweepLoose(dir: string, refs: readonly string[]): void {
  const objects = join(dir, "objects");
  const used = new Set<string>();
  const stack = refs.map((name) => readRef(dir, name)).filter((id) => id !== null);
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (used.has(id)) continue;
    used.add(id);
    const object = readLoose(objects, id);
    if (object?.kind === "tree") stack.push(...parseTree(object.body, ID_BYTES).map((entry) => entry.id));
    if (object?.kind === "commit")
      stack.push(
        ...[...object.body.toString("latin1").matchAll(/^(?:tree|parent) ([0-9a-f]+)$/gm)].map(([, one = ""]) => one),
      );
  }
  for (const folder of readdirSync(objects, { withFileTypes: true })) {
    // Only what ralph made: a link in its place leads elsewhere.
    if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for (const name of readdirSync(join(objects, folder.name)))
      if (/^[0-9a-f]{38}$/.test(name) && !used.has(folder.name + name))
        rmSync(join(objects, folder.name, name), { force: true });
  }
}
