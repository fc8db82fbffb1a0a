import { createHash } from "node:crypto";
import type { GateFiles, Snapshot } from "../../src/effects/ports.ts";

export type MemoryTree = {
  port: GateFiles;
  /** The files in a copy, by its folder; those of the project for any other folder. */
  filesIn(dir: string): ReadonlyMap<string, string>;
  /** Copies that were not removed. */
  copies(): number;
  /** What runs keep, by `run/name`. */
  kept: Map<string, string>;
};

/**
 * The files of gates in memory.
 * @param filesOf the project's files at a snapshot; those of now for null
 * @param write changes one of them
 */
export function memoryGateFiles(
  filesOf: (tree: Snapshot | null) => ReadonlyMap<string, string>,
  write: (path: string, text: string | null) => void,
): MemoryTree {
  const kept = new Map<string, string>();
  const copies = new Map<string, ReadonlyMap<string, string>>();
  let made = 0;
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const bytes = (text: string) => new TextEncoder().encode(text);
  const port: GateFiles = {
    list: (tree) => new Map([...filesOf(tree)].map(([path, text]) => [path, `100644 ${sha256(text)}`])),
    read: (path) => {
      const text = filesOf(null).get(path);
      return text === undefined ? null : bytes(text);
    },
    leadsTo: () => null,
    write(path, content) {
      write(path, content === null ? null : new TextDecoder().decode(content));
      return null;
    },
    async copyTree(tree, changes) {
      const files = new Map(filesOf(tree));
      for (const [path, content] of changes) {
        if (content === null) files.delete(path);
        else files.set(path, new TextDecoder().decode(content));
      }
      made += 1;
      const dir = `/copy-${made}`;
      copies.set(dir, files);
      return { dir, remove: () => void copies.delete(dir) };
    },
    keep(run, name, text) {
      kept.set(`${run}/${name}`, text);
      return sha256(text);
    },
    kept(run, name, digest) {
      const text = kept.get(`${run}/${name}`) ?? null;
      return text === null || (digest !== null && sha256(text) !== digest) ? null : text;
    },
  };
  return { port, filesIn: (dir) => copies.get(dir) ?? filesOf(null), copies: () => copies.size, kept };
}
