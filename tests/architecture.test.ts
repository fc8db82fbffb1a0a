/** The architecture rules, and for each one a proof that it can fail. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Lock, type LockedPackage, missingOptional } from "../scripts/lib/package-lock.ts";
import { root } from "../scripts/lib/paths.ts";
import { importsOf } from "./architecture/imports.ts";
import { mask } from "./architecture/mask.ts";
import {
  type BanName,
  banNames,
  breaches,
  crossings,
  cycles,
  danglingImports,
  missedImports,
  type Tree,
} from "./architecture/rules.ts";

/** Leaves this file out, because it contains the counter-examples. */
const self = "tests/architecture.test.ts";

function projectTree(): Tree {
  const files = [...new Bun.Glob("{src,drivers,scripts,tests}/**/*.ts").scanSync(root)].map((file) =>
    file.replaceAll("\\", "/"),
  );
  const own = files.filter((file) => file !== self && !/^tests\/(fixtures|conformance\/data)\//.test(file));
  return new Map(own.sort().map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

type Manifest = { devDependencies: Record<string, string> };

const unpinned = ({ devDependencies }: Manifest) =>
  Object.entries(devDependencies).flatMap(([name, range]) => (/^\d/.test(range) ? [] : [`${name} ${range}`]));

/** Packages that npm would install without knowing their content. */
const unhashed = ({ packages }: Lock) =>
  Object.entries(packages).filter(
    ([path, { integrity }]) => path !== "" && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
  );

/** Their registry does not carry them everywhere, so that scripts/complete-lock.ts knows only their names. */
const ofOtherPlatform = ({ optional, os, cpu, libc }: LockedPackage) =>
  optional === true && !(fits(os, "linux") && fits(cpu, "x64") && fits(libc, "glibc"));
const fits = (list: readonly string[] | undefined, name: string) => list === undefined || list.includes(name);

const tree = projectTree();
const program: Tree = new Map([...tree].filter(([path]) => /^(src|drivers)\//.test(path)));
const fake = (files: Record<string, string>): Tree => new Map(Object.entries(files));

/** The import paths that Bun finds, without imports of types. */
const bunScan = (source: string) => new Bun.Transpiler({ loader: "ts" }).scanImports(source).map(({ path }) => path);

test("the tree under test contains the program", () => {
  expect(program.size).toBeGreaterThan(10);
});

describe("imports", () => {
  test("no import crosses a fence", () => expect(crossings(program)).toEqual([]));
  test("no file imports itself through others", () => expect(cycles(program)).toEqual([]));
  test("every relative import names a file with its extension", () => expect(danglingImports(program)).toEqual([]));
  test("the scanner of these rules misses no import that Bun sees", () =>
    expect(missedImports(program, bunScan)).toEqual([]));
});

describe.each(banNames)("%s", (name) => {
  test("is true of every file", () => expect(breaches(name, tree)).toEqual([]));
});

describe("the lock file", () => {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const lock: Lock = JSON.parse(text);
  const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  test("names no registry", () => {
    expect(text).not.toMatch(/"resolved"\s*:\s*"https?:/);
    expect(text).not.toMatch(/registry/i);
  });
  test("contains the packages of other platforms too (if not: bun scripts/complete-lock.ts)", () => {
    expect(missingOptional(lock)).toEqual({});
  });
  test("has a hash of the content of every package, but of some that only another platform installs", () => {
    expect(unhashed(lock).filter(([, entry]) => !ofOtherPlatform(entry))).toEqual([]);
    const forged: Lock = { packages: { "": {}, "node_modules/a": { version: "1.0.0" } } };
    expect(unhashed(forged).map(([path]) => path)).toEqual(["node_modules/a"]);
  });
  test("matches package.json, which pins each dependency exactly", () => {
    expect(lock.packages[""]?.devDependencies).toEqual(manifest.devDependencies);
    expect(unpinned(manifest)).toEqual([]);
  });
  test("does not count a range as a pin", () => {
    expect(unpinned({ devDependencies: { a: "^1.0.0", b: "1.0.0" } })).toEqual(["a ^1.0.0"]);
  });
});

describe("a broken import rule is reported", () => {
  test.each([
    ["src/core/a.ts", 'import { readFileSync } from "node:fs";', "src/core/a.ts imports node:fs"],
    ["src/core/a.ts", 'import { b } from "../run/b.ts";', "src/core/a.ts imports src/run/b.ts"],
    ["src/core/a.ts", 'import { driver } from "../driver.ts";', "src/core/a.ts imports src/driver.ts"],
    ["src/core/a.ts", 'import type { A } from "../effects/ports.ts";', "src/core/a.ts imports src/effects/ports.ts"],
    ["src/view/a.ts", 'export const a = () => import("../effects/a.ts");', "src/view/a.ts imports src/effects/a.ts"],
    ["src/run/a.ts", 'import { run } from "../effects/ports.ts";', "src/run/a.ts imports src/effects/ports.ts"],
    ["src/run/a.ts", 'import "node:fs";', "src/run/a.ts imports node:fs"],
    ["src/effects/a.ts", 'import { a } from "../cli/a.ts";', "src/effects/a.ts imports src/cli/a.ts"],
    ["drivers/a.ts", 'import { b } from "./b.ts";', "drivers/a.ts imports drivers/b.ts"],
    ["drivers/a.ts", 'import { type Driver, kit } from "../src/driver.ts";', "drivers/a.ts imports src/driver.ts"],
    ["src/main.ts", 'import { runCommand } from "citty";', "src/main.ts imports citty"],
    ["src/demo/a.ts", 'import { createConsola } from "consola/core";', "src/demo/a.ts imports consola/core"],
    ["src/driver.ts", 'import type { A } from "./core/a.ts";', "src/driver.ts imports src/core/a.ts"],
  ])("in %s: %s", (path, source, complaint) => expect(crossings(fake({ [path]: source }))).toEqual([complaint]));

  test("but not for allowed imports", () => {
    const allowed = fake({
      "src/core/a.ts":
        'import * as v from "valibot";\nimport type { Driver } from "../driver.ts";\nimport { b } from "./b.ts";',
      "src/effects/a.ts":
        'import { join } from "node:path";\nimport { a } from "../core/a.ts";\nimport git from "isomorphic-git";',
      "src/run/a.ts": 'import { type Clock, type Recorder } from "../effects/ports.ts";',
      "drivers/a.ts": 'import type { Driver } from "../src/driver.ts";',
      "src/cli/a.ts":
        'import { a } from "../effects/a.ts";\nimport page from "../view/page.html" with { type: "text" };',
    });
    expect(crossings(allowed)).toEqual([]);
  });

  test("once for a cycle, and not for a cycle of types", () => {
    expect(
      cycles(
        fake({
          "src/a.ts": 'import "./b.ts";',
          "src/b.ts": 'import { c } from "./c.ts";',
          "src/c.ts": 'import "./a.ts";',
        }),
      ),
    ).toEqual(["src/a.ts > src/b.ts > src/c.ts > src/a.ts"]);
    expect(cycles(fake({ "src/a.ts": 'import type { B } from "./b.ts";', "src/b.ts": 'import "./a.ts";' }))).toEqual(
      [],
    );
  });

  test("for an import without an extension", () => {
    expect(danglingImports(fake({ "src/a.ts": 'import { b } from "./b";', "src/b.ts": "" }))).toEqual([
      "src/a.ts imports ./b",
    ]);
  });

  test("for an import that only Bun sees", () => {
    expect(missedImports(fake({ "src/a.ts": "" }), () => ["node:fs"])).toEqual(["src/a.ts imports node:fs"]);
  });
});

describe("a ban", () => {
  const path = "src/core/a.ts";
  const broken: Record<BanName, readonly string[]> = {
    "process.exit only in main.ts": ["process.exit(1);"],
    "no clock, environment, console or chance in the core and in views": [
      "const now = Date.now();",
      "const now = new Date();",
      "const now = new Date;",
      "const home = process.env.HOME;",
      'const home = process["env"];',
      "console.log(1);",
      "const die = Math.random();",
      "const t = performance.now();",
      "setTimeout(() => {}, 5);",
      "const text = `at ${Date.now()}`;",
    ],
    "portable code only: no Bun.*, no bun: modules, no Deno.*": [
      'Bun.write("a", "b");',
      "const dir = import.meta.dir;",
    ],
    "what a runtime adds only in kernel-mark.ts, statx.ts, local-offset.ts and flood-pace.ts": [
      'process.dlopen(module, "libc.so.6");',
      'const { dlopen } = process.getBuiltinModule("bun:ffi");',
      "globalThis.Bun?.unsafe.setJITPolicy(1);",
      'process.getBuiltinModule("bun:jsc").fullGC();',
    ],
    "no any": ["let a: any;", "const a = b as any;", "type A = Map<string, any>;", "function f(a: any, b: any[]) {}"],
    "no barrel files: nothing is exported from another file": [
      'export * from "./b.ts";',
      'export { b } from "./b.ts";',
    ],
    "files are opened in one place, which neither hangs nor swells": [
      'const text = readFileSync("a", "utf8");',
      'const fd = openSync("a", "r");',
      'fs.appendFileSync("a", "b");',
      'await fs.readFile("a");',
    ],
    "no module mocks": ['mock.module("./a.ts", () => ({}));'],
  };
  const harmless = [
    "// Date.now() and process.exit() as any",
    '/* export * from "./b.ts" */',
    'const text = "process.exit(1); let a: any; Bun.write; console.log; mock.module";',
    "const text = `Date.now() Bun.write`;",
    "const parsed = new Date(now);",
    "const pattern = /process.exit|Bun.write/;",
    "const first = Promise.any(list);",
    "state.process.exits += 1;",
    "export { b };",
    "export type A = { any: string };",
  ];

  for (const name of banNames) {
    const place = name === "no module mocks" ? "tests/a.test.ts" : path;
    test.each(broken[name])(`${name}: is broken by %s`, (source) =>
      expect(breaches(name, fake({ [place]: source }))).toHaveLength(1),
    );
    test.each(harmless)(`${name}: is not broken by %s`, (source) =>
      expect(breaches(name, fake({ [place]: source }))).toEqual([]),
    );
  }

  test.each([
    "src/effects/process-tree/kernel-mark.ts",
    "src/effects/snapshot/statx.ts",
    "src/effects/local-offset.ts",
    "src/effects/process/flood-pace.ts",
  ])("allows what a runtime adds in %s", (path) => {
    const source = 'deno.dlopen("libc.so.6", {});';
    expect(
      breaches(
        "what a runtime adds only in kernel-mark.ts, statx.ts, local-offset.ts and flood-pace.ts",
        fake({ [path]: source }),
      ),
    ).toEqual([]);
  });

  test("allows process.exit in main.ts", () =>
    expect(breaches("process.exit only in main.ts", fake({ "src/main.ts": "process.exit(1);" }))).toEqual([]));
});

describe("reading imports", () => {
  test.each([
    ['import type { A } from "./b.ts";', true],
    ['import { type A, type B } from "./b.ts";', true],
    ['import {\n  type A,\n  b,\n} from "./b.ts";', false],
    ['import a, { type A } from "./b.ts";', false],
    ['import type from "./b.ts";', false],
    ['import * as b from "./b.ts";', false],
    ['import "./b.ts";', false],
    ['const b = await import("./b.ts");', false],
    ['let b: import("./b.ts").B;', true],
    ['type B = import("./b.ts").B;', true],
    ['const load = () => import("./b.ts");', false],
    ['const loading = import("./b.ts");', false],
    ['export type { A } from "./b.ts";', true],
    ['import b from "./b.ts" with { type: "text" };', false],
  ])("from %s", (source, typeOnly) => {
    expect(importsOf("src/a.ts", source)).toMatchObject([{ target: "src/b.ts", typeOnly }]);
  });

  test.each([
    '// import "./b.ts"',
    'const text = `import "./b.ts"`;',
    '/* from "./b.ts" */',
    "const imported = from;",
    'type A = "import" | "from" | "x";',
  ])("not from %s", (source) => expect(importsOf("src/a.ts", source)).toEqual([]));

  test("keeps the length and the code of templates under the mask", () => {
    const source = 'a = `x ${f({ b: "}" })} y` / 2; // c\nd = /[/"]/g;';
    expect(mask(source)).toHaveLength(source.length);
    expect(mask(source).replace(/ +/g, " ")).toBe('a = f({ b: " " }) / 2; \nd = ;');
  });
});
