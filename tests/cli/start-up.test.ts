/** What a start loads: each module costs time before anything is seen, and a new import may bring many. */
import { beforeAll, expect, test } from "bun:test";
import { basename, join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";

type Outputs = NonNullable<Bun.BuildOutput["metafile"]>["outputs"];

let outputs: Outputs = {};
const sources = new Map<string, string>();

beforeAll(async () => {
  const entrypoints = [join(root, "src", "main.ts")];
  const built = await Bun.build({ entrypoints, target: "bun", format: "esm", splitting: true, metafile: true });
  outputs = built.metafile?.outputs ?? {};
  for (const file of built.outputs) sources.set(basename(file.path), await file.text());
}, 60_000);

/** The modules, with `node:` ones, that are loaded with the entry and these modules, which `import()` loads. */
function loadedWith(...starts: readonly string[]): string[] {
  const parts = new Set<string>();
  const need = (part: string): void => {
    if (parts.has(part)) return;
    parts.add(part);
    const imports = outputs[part]?.imports ?? [];
    for (const { path, kind } of imports) if (kind === "import-statement" && path in outputs) need(path);
  };
  for (const start of ["src/main.ts", ...starts]) {
    const part = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith(start));
    if (part === undefined) throw new Error(`no import() loads ${start}`);
    need(part);
  }
  const modules = [...parts].flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
  const scanner = new Bun.Transpiler({ loader: "js" });
  const builtIn = [...parts].flatMap((part) =>
    scanner
      .scanImports(sources.get(basename(part)) ?? "")
      .filter(({ path, kind }) => kind === "import-statement" && /^(?:node:)?[a-z_/]+$/.test(path))
      .map(({ path }) => `node:${path.replace("node:", "")}`),
  );
  return [...new Set([...modules, ...builtIn])];
}

const matching = (modules: readonly string[], pattern: RegExp) => modules.filter((name) => pattern.test(name));

test("ralph --version loads nothing of node, and of ralph only the version", () => {
  expect(loadedWith().sort()).toEqual(["package.json", "src/main.ts", "src/version.ts"]);
});

test("ralph --help loads no command", () => {
  const modules = loadedWith("src/cli/print-overview.ts");
  expect(matching(modules, /^node:/).sort()).toEqual(["node:console", "node:fs", "node:process"]);
  expect(matching(modules, /definitions|commands|core/)).toEqual([]);
});

test("ralph status loads its own definition, and of node what files need", () => {
  const later = ["definitions/status.ts", "commands/status.ts", "adopted-state.ts"].map((name) => `src/cli/${name}`);
  const modules = loadedWith("src/cli/run-command.ts", ...later);
  const own = ["json-flag.ts", "status.ts"].map((name) => `src/cli/definitions/${name}`);
  expect(matching(modules, /cli\/definitions/).sort()).toEqual(own);
  // citty's node:util is taken out when the program is compiled.
  const needed = ["buffer", "console", "fs", "path", "process", "util"].map((name) => `node:${name}`);
  expect(matching(modules, /^node:/).sort()).toEqual(needed);
  expect(matching(modules, /drivers?\/|src\/run\/|event-schema|journal\/reduce/)).toEqual([]);
});
