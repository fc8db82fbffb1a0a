import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { SELDOM } from "../../../src/effects/process/flood-pace.ts";
import { run } from "../run-program.ts";
import type { Parts } from "./parts.ts";
import type { SplitOptions } from "./split.ts";

/**
 * Flags that turn ralph's parts into a program. Bytecode keeps `ralph --version` at a few milliseconds (it requires the
 * ESM format by name).
 * The program must not read `.env` or `bunfig.toml` of the folder it is started in: a project could then change its
 * settings and run code.
 */
export const compileFlags: readonly string[] = [
  "--compile",
  "--minify",
  "--bytecode",
  // Compared with 2: takes 5 to 7 % off the CPU of a start, and adds 0.24 MB; what lies deeper adds bytes and no speed. Measured.
  "--bytecode-depth=4",
  "--format=esm",
  "--sourcemap=none",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

export type CompileOptions = {
  entry: string;
  outfile: string;
  /** Bun's name of another platform, `bun-darwin-arm64`; default: this machine. */
  target?: string;
  /** The runtime to put the program into; default: the Bun that compiles. */
  runtime?: string;
  /** Names that the compiler replaces with a text. */
  constants?: Readonly<Record<string, string>>;
  /**
   * Modules, from the folder of the entry, that are loaded with `import()` and still compiled ahead like the entry.
   * Bytecode is many times the size of its source, so only modules that a start waits for are listed.
   */
  startUp?: readonly string[];
  /** Packages that are kept compressed. */
  packed?: readonly string[];
  /** Only what runs very often is compiled while the program runs. */
  seldomCompiled?: true;
  /** A file with the functions whose bytecode stands at the front (start-up-order.ts). */
  order?: string;
};

/**
 * The path of a program's own parts while it runs. They import each other by these names, like those that Bun splits
 * itself: on Windows some versions do not find a relative one.
 */
export const placeOfParts = (isWindows: boolean) => (isWindows ? "B:/~BUN/root/" : "/$bunfs/root/");

/** @param target default: this machine */
const isForWindows = (target = `bun-${process.platform}`) => /^bun-win/.test(target);

/**
 * Compiles a program. It is built beside its destination and renamed, so a half-written one never appears there. The
 * file name stays the same, because it is part of the bytes, and equal sources have to give equal bytes.
 * @returns null, or the compiler's output when it failed
 */
export async function compile(options: CompileOptions): Promise<string | null> {
  const { outfile } = options;
  mkdirSync(dirname(outfile), { recursive: true });
  const folder = mkdtempSync(join(dirname(outfile), ".build-"));
  try {
    const parts = join(folder, "parts");
    const built = join(folder, basename(outfile));
    const problem = (await split(options, parts)) ?? (await assemble(options, parts, built));
    if (problem === null) renameSync(built, outfile);
    return problem;
  } catch (error) {
    return `${outfile}: ${error instanceof Error ? error.message : error}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the parts of a program to a folder. */
function split(options: CompileOptions, outdir: string): Promise<string | null> {
  const { entry, target, constants = {}, startUp = [], packed = [] } = options;
  const place = placeOfParts(isForWindows(target));
  const input: SplitOptions = { entry, outdir, place, constants, startUp, packed };
  return bun([join(import.meta.dirname, "split.ts"), JSON.stringify(input)], dirname(entry));
}

/** Makes one program of the parts. */
function assemble(options: CompileOptions, folder: string, outfile: string): Promise<string | null> {
  const { entry, target, runtime, seldomCompiled, order } = options;
  const { startUp, later }: Parts = JSON.parse(readFileSync(`${folder}.json`, "utf8"));
  const flags = [
    ...compileFlags,
    ...(order === undefined ? [] : [`--bytecode-order=${order}`]),
    ...(seldomCompiled ? [`--compile-jit-policy=${SELDOM}`] : []),
    `--external=${placeOfParts(isForWindows(target))}*`,
    ...(target === undefined ? [] : [`--target=${target}`]),
    ...(runtime === undefined ? [] : [`--compile-executable-path=${runtime}`]),
    ...later.map((file) => `--asset=${file}`),
  ];
  const start = `${basename(entry, extname(entry))}.js`;
  return bun(["build", ...flags, start, ...startUp, "--outfile", outfile], folder);
}

/** @returns null, or Bun's output when it failed */
async function bun(words: readonly string[], cwd: string): Promise<string | null> {
  const { exitCode, output } = await run([process.execPath, ...words], { cwd });
  return exitCode === 0 ? null : output;
}
