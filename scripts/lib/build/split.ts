/**
 * Splits a program into files. compile.ts runs it in the folder of the entry: the bundler names parts by their paths
 * from its working folder, and equal sources have to give equal names in every clone.
 * It writes the parts to a folder, and `parts.json` beside it.
 */
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cittyWithoutUtilPlugin } from "./citty-without-util.ts";
import { lazySegmenterPlugin } from "./lazy-segmenter.ts";
import { type PackedModule, packedModule, packedModules } from "./packed-module.ts";
import { partsOf } from "./parts.ts";

/** The options from compile.ts, as JSON. */
export type SplitOptions = {
  entry: string;
  outdir: string;
  /** The path of the parts while the program runs. */
  place: string;
  constants: Readonly<Record<string, string>>;
  startUp: readonly string[];
  packed: readonly string[];
};

const { entry, outdir, place, constants, startUp, packed }: SplitOptions = JSON.parse(process.argv[2] ?? "");
const define = Object.fromEntries(Object.entries(constants).map(([name, text]) => [name, JSON.stringify(text)]));

// One after the other, and before the program: the bundler hangs if one of its plugins bundles something.
const modules: PackedModule[] = [];
for (const name of packed) modules.push(await packedModule(name, process.cwd()));
const { metafile } = await Bun.build({
  entrypoints: [entry],
  outdir,
  publicPath: place,
  define,
  target: "bun",
  format: "esm",
  splitting: true,
  minify: true,
  metafile: true,
  plugins: [packedModules(modules), cittyWithoutUtilPlugin, lazySegmenterPlugin],
});
for (const { file, content } of modules) writeFileSync(join(outdir, file), content);

const parts = partsOf(metafile?.outputs ?? {}, basename(entry), startUp);
const later = [...parts.later, ...modules.map(({ file }) => file)];
writeFileSync(`${outdir}.json`, JSON.stringify({ ...parts, later }));
