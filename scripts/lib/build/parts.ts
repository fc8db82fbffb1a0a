import { posix } from "node:path";

/** The parts of a split bundle, by file name, without the entry. */
export type Parts = {
  /** Needed at the start: compiled ahead. */
  startUp: readonly string[];
  /** Everything else: parsed at its first use. */
  later: readonly string[];
};

/** The bundler's record of one output file (its metafile). */
export type Output = {
  /** The module that an `import()` names, or the entry itself; absent for a part that others share. */
  entryPoint?: string;
  imports: readonly { path: string; kind: string }[];
};

/**
 * Finds the parts that a start needs: all direct and indirect imports of the entry and the named modules.
 * @param modules sources that `import()` loads, named as the bundler names them
 * @throws Error if no `import()` loads one of them, or if a part imports the entry, which is renamed later
 */
export function partsOf(
  outputs: Readonly<Record<string, Output>>,
  entry: string,
  modules: readonly string[] = [],
): Parts {
  const files = new Map(Object.entries(outputs).map(([path, output]) => [posix.normalize(path), output]));
  const fileOf = (module: string): string => {
    const found = [...files].find(([, { entryPoint }]) => entryPoint === module)?.[0];
    if (found === undefined) throw new Error(`${module} is no part of its own: no import() loads it`);
    return found;
  };
  const needed = new Set<string>();
  const need = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const { path, kind } of files.get(file)?.imports ?? [])
      if (kind === "import-statement" && files.has(posix.normalize(path))) need(posix.normalize(path));
  };
  const start = fileOf(entry);
  for (const file of [start, ...modules.map(fileOf)]) need(file);
  for (const [file, { imports }] of files)
    if (imports.some(({ path }) => posix.normalize(path) === start)) throw new Error(`${file} imports ${entry}`);
  const others = [...files.keys()].filter((file) => file !== start).sort();
  return { startUp: others.filter((file) => needed.has(file)), later: others.filter((file) => !needed.has(file)) };
}
