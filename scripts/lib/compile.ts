import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { run } from "./run.ts";

/**
 * How ralph is compiled. Bytecode and splitting keep `ralph --version` at a few milliseconds (bytecode needs the ESM
 * format to be named); a program that reads `.env` or `bunfig.toml` of the folder it is started in would let a project
 * change its settings and run code.
 */
export const compileFlags: readonly string[] = [
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--sourcemap=none",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

export type CompileOptions = {
  entry: string;
  outfile: string;
  /** Bun's name of another platform, `bun-darwin-arm64`; absent: this machine. */
  target?: string;
  /** The runtime to put the program into; absent: the Bun that compiles. */
  runtime?: string;
  /** Names that the compiler replaces by a text. */
  constants?: Readonly<Record<string, string>>;
};

/**
 * Compiles a program. It is built beside its place and renamed, so that a half-written one is never seen; the name
 * stays the same meanwhile, because it is part of the bytes and equal sources are to give equal bytes.
 * @returns null, or what the compiler said when it failed
 */
export async function compile(options: CompileOptions): Promise<string | null> {
  const { entry, outfile, target, runtime, constants = {} } = options;
  mkdirSync(dirname(outfile), { recursive: true });
  const folder = mkdtempSync(join(dirname(outfile), ".build-"));
  try {
    const built = join(folder, basename(outfile));
    const flags = [
      ...compileFlags,
      ...(target === undefined ? [] : [`--target=${target}`]),
      ...(runtime === undefined ? [] : [`--compile-executable-path=${runtime}`]),
      ...Object.entries(constants).flatMap(([name, text]) => ["--define", `${name}=${JSON.stringify(text)}`]),
    ];
    // Files are named in the program relative to where the compiler runs: the same in every clone.
    const cwd = dirname(entry);
    const { exitCode, output } = await run([process.execPath, "build", ...flags, entry, "--outfile", built], { cwd });
    if (exitCode !== 0) return output;
    renameSync(built, outfile);
    return null;
  } catch (error) {
    return `${outfile}: ${error instanceof Error ? error.message : error}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
