import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import type { Sources } from "./generate.ts";

/** The files of the tree that a file imports when it runs: types are gone by then. */
function importsOf(file: string, source: string): string[] {
  const { staticImports, dynamicImports } = parseSync(file, source).module;
  const values = staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType));
  const named = [
    ...values.map(({ moduleRequest }) => moduleRequest.value),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
  return named
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(file), specifier));
}

/** Who imports whom, both ways. */
export type ImportGraph = {
  /** Files that reach the file, and by how many imports; the file itself by none. */
  importers(file: string): ReadonlyMap<string, number>;
  /** Files that the files reach, and themselves. */
  imported(files: Iterable<string>): ReadonlySet<string>;
};

/** Reads the imports of all sources. */
export function importGraph(sources: Sources): ImportGraph {
  const imports = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  return {
    importers: (file) => reach([file], importers),
    imported: (files) => new Set(reach(files, imports).keys()),
  };
}

/** Breadth first: all that is reached, with the number of steps. */
function reach(from: Iterable<string>, edges: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const steps = new Map([...from].map((file) => [file, 0]));
  // A Map that grows while it is walked shows what is added as well.
  for (const [file, count] of steps)
    for (const next of edges.get(file) ?? []) if (!steps.has(next)) steps.set(next, count + 1);
  return steps;
}
