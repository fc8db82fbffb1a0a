import { type Import, importsOf } from "./imports.ts";
import { mask } from "./mask.ts";

/** Sources by path, relative to the project, with forward slashes. */
export type Tree = ReadonlyMap<string, string>;

/** What a folder may import; a name ending in `/` is a folder, `type ` before it allows only types. */
type Fence = { folder: string; may: readonly string[] };

/** "Layout" of AGENTS.md. The first folder that contains a file decides; a folder may import itself. */
const fences: readonly Fence[] = [
  { folder: "drivers/", may: ["type src/driver.ts"] },
  { folder: "src/core/", may: ["valibot", "node-diff3", "type src/driver.ts"] },
  { folder: "src/view/", may: ["src/core/", "type src/driver.ts", "string-width"] },
  { folder: "src/driver-host/", may: ["src/core/", "src/driver.ts", "type src/effects/ports.ts", "drivers/"] },
  { folder: "src/run/", may: ["src/core/", "src/driver.ts", "src/driver-host/", "type src/effects/ports.ts"] },
  { folder: "src/setup/", may: ["src/core/", "src/driver.ts", "type src/effects/ports.ts", "templates/"] },
  {
    folder: "src/effects/",
    may: [
      "src/core/",
      "type src/driver.ts",
      "templates/",
      "node:",
      "isomorphic-git",
      "unpdf",
      "valibot",
      "@anthropic-ai/sandbox-runtime",
    ],
  },
  { folder: "src/driver.ts", may: [] },
  { folder: "src/cli/", may: ["*"] },
  // citty and consola are the command line's alone.
  { folder: "src/", may: ["drivers/", "node:", "package.json", "templates/", "isomorphic-git"] },
];

function allows(rule: string, { specifier, target, typeOnly }: Import): boolean {
  const name = target ?? specifier;
  if (rule === "*") return true;
  if (rule.startsWith("type ")) return typeOnly && name === rule.slice(5);
  return (
    name === rule || (/[/:]$/.test(rule) && name.startsWith(rule)) || (target === null && name.startsWith(`${rule}/`))
  );
}

/** Imports that cross a fence. */
export function crossings(tree: Tree): string[] {
  const found: string[] = [];
  for (const [path, source] of tree) {
    const fence = fences.find(({ folder }) => path.startsWith(folder));
    if (fence === undefined) continue;
    // A driver file stands alone, because a user's own driver is a copy of one.
    const may = fence.folder === "drivers/" ? fence.may : [...fence.may, fence.folder];
    for (const used of importsOf(path, source)) {
      if (!may.some((rule) => allows(rule, used))) found.push(`${path} imports ${used.target ?? used.specifier}`);
    }
  }
  return found;
}

/** Cycles of value imports, each named once by its first file. */
export function cycles(tree: Tree): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, chain: readonly string[]) => {
    const seen = chain.indexOf(path);
    if (seen >= 0) found.push([...chain.slice(seen), path].join(" > "));
    if (seen >= 0 || done.has(path)) return;
    for (const { target, typeOnly } of importsOf(path, tree.get(path) ?? "")) {
      if (target !== null && !typeOnly && tree.has(target)) visit(target, [...chain, path]);
    }
    done.add(path);
  };
  for (const path of tree.keys()) visit(path, []);
  return found;
}

/** Files embedded as text are not in the tree; the compiler finds them or fails. */
const TEXT_FILE = /\.(?:sh|md|txt|html)$/;

/** Relative imports of no file in the tree: without an extension, or of a missing file. */
export function danglingImports(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) =>
    importsOf(path, source).flatMap(({ specifier, target }) =>
      target !== null && /^(src|drivers)\//.test(target) && !TEXT_FILE.test(target) && !tree.has(target)
        ? [`${path} imports ${specifier}`]
        : [],
    ),
  );
}

/** Imports that Bun's own scanner sees and ours does not. Our scanner must miss none. */
export function missedImports(tree: Tree, scan: (source: string) => readonly string[]): string[] {
  return [...tree].flatMap(([path, source]) => {
    const ours = new Set(importsOf(path, source).map(({ specifier }) => specifier));
    return scan(source).flatMap((specifier) => (ours.has(specifier) ? [] : [`${path} imports ${specifier}`]));
  });
}

type Ban = { in: RegExp; except?: RegExp; code: RegExp };

/** Code that is banned in some folders. */
const bans = {
  "process.exit only in main.ts": {
    in: /^(src|drivers)\//,
    except: /^src\/main\.ts$/,
    code: /\bprocess\s*\.\s*exit\b/,
  },
  "no clock, environment, console or chance in the core and in views": {
    in: /^src\/(core|view)\//,
    code: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?!\s*\()|\bnew\s+Date\s*\(\s*\)|(?<![.\w])(?:process|console|performance|crypto)\s*[.[]|\bMath\s*\.\s*random\b|(?<![.\w])(?:setTimeout|setInterval|fetch)\s*\(/,
  },
  "portable code only: no Bun.*, no bun: modules, no Deno.*": {
    in: /^(src|drivers)\//,
    code: /(?<![.\w])(?:Bun|Deno)\s*[.[]|\bimport\s*\.\s*meta\s*\.\s*dir\b/,
  },
  "what a runtime adds only in kernel-mark.ts, statx.ts, local-offset.ts and flood-pace.ts": {
    in: /^(src|drivers)\//,
    except: /^src\/effects\/(?:process-tree\/kernel-mark|snapshot\/statx|local-offset|process\/flood-pace)\.ts$/,
    code: /\b(?:dlopen|setJITPolicy|fullGC)\b/,
  },
  "no any": { in: /^(src|drivers|scripts|tests)\//, code: /(?:[:<|&(,]|\bas|=>?)\s*any\b(?!\s*[:.(])/ },
  "no barrel files: nothing is exported from another file": {
    in: /^(src|drivers)\//,
    code: /(?<![.\w])export\s*(?:type\s*)?(?:\*|\{[^}]*\}\s*from\b)/,
  },
  "files are opened in one place, which neither hangs nor swells": {
    in: /^src\//,
    // A user's own output file, the hash of any file of a tree, and the program's own download.
    except: /^src\/effects\/(?:files\/(?:regular|stream)-file|snapshot\/(?:content|statx)|process\/program-files)\.ts$/,
    code: /\b(?:readFileSync|openSync|appendFileSync|createReadStream|createWriteStream)\s*\(|\b(?:fs|promises)\s*\.\s*(?:readFile|appendFile|open)\s*\(/,
  },
  "no module mocks": { in: /^tests\//, code: /\bmock\s*\.\s*module\b/ },
} satisfies Record<string, Ban>;

export type BanName = keyof typeof bans;
export const banNames = Object.keys(bans) as BanName[];

/** Lines that break a ban, as `path:line: text`. */
export function breaches(name: BanName, tree: Tree): string[] {
  const ban: Ban = bans[name];
  return [...tree].flatMap(([path, source]) => {
    if (!ban.in.test(path) || ban.except?.test(path)) return [];
    const lines = source.split("\n");
    return mask(source)
      .split("\n")
      .flatMap((code, index) => (ban.code.test(code) ? [`${path}:${index + 1}: ${lines[index]?.trim()}`] : []));
  });
}
