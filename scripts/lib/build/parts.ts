import { posix } from "node:path";

/** What a split bundle is made of, by file name, without the entry. */
export type Parts = {
  /** What a start needs: compiled ahead. */
  startUp: readonly string[];
  /** Everything else: parsed when it is first used. */
  later: readonly string[];
};

/** What the bundler says of one file that it wrote (its metafile). */
export type Output = {
  /** The module that an `import()` names, or the entry itself; absent: a part that others share. */
  entryPoint?: string;
  imports: readonly { path: string; kind: string }[];
};

/**
 * Tells the parts that a start needs: what the entry and the named modules import, directly or not.
 * @param modules sources that `import()` loads, named as the bundler names them
 * @throws Error if no `import()` loads one of them, or if a part imports the entry, whose name is another one later
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
