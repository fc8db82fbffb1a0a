import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";

/** A package as one compressed file, with a small stand-in module that unpacks it on import. */
export type PackedModule = { name: string; file: string; content: Uint8Array; standIn: string };

/**
 * Packs a large package that is seldom used. Compiled ahead it would be many times its size. It is unpacked in memory,
 * because a program has no folder of its own.
 * @throws AggregateError with the bundler's errors
 */
export async function packedModule(name: string, folder: string): Promise<PackedModule> {
  const entrypoints = [Bun.resolveSync(name, folder)];
  const built = await Bun.build({ entrypoints, target: "bun", format: "esm", minify: true, metafile: true });
  const source = await built.outputs[0]?.text();
  const [output] = Object.values(built.metafile?.outputs ?? {});
  if (source === undefined || output === undefined) throw new Error(`${name} cannot be packed`);
  // Zstandard unpacks faster, which nobody notices here, and is a twentieth larger.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  const file = `${name.replaceAll("/", "-")}.js.br`;
  const standIn =
    output.exports.length === 0
      ? standInFor(file, Object.keys(await import(entrypoints[0] ?? name)), "module.default")
      : standInFor(file, output.exports, "module");
  return { name, file, content: brotliCompressSync(source, { params }), standIn };
}

/**
 * @param names what the package exports
 * @param from what has the names: of CommonJS the bundler makes a default export
 */
function standInFor(file: string, names: readonly string[], from: "module" | "module.default"): string {
  const named = names.filter((name) => name !== "default" && name !== "module.exports");
  return `
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
const source = brotliDecompressSync(readFileSync(join(import.meta.dirname, ${JSON.stringify(file)})));
const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
export const { ${named.join(", ")} } = ${from};
${names.includes("default") ? "export default module.default;" : ""}
`;
}

/** Resolves the packages to their stand-ins. */
export function packedModules(modules: readonly PackedModule[]): BunPlugin {
  const standIns = new Map(modules.map(({ name, standIn }) => [name, standIn]));
  return {
    name: "packed modules",
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        standIns.has(path) ? { path, namespace: "packed" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "packed" }, ({ path }) => ({
        loader: "js",
        contents: standIns.get(path) ?? "",
      }));
    },
  };
}
