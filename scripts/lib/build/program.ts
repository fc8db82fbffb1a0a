import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { programName, root } from "../paths.ts";
import { type CompileOptions, compile } from "./compile.ts";
import { orderFile } from "./start-up-order.ts";
import { hostTarget, type Target } from "./targets.ts";

/** Values that are fixed when a program is compiled; RALPH_PUBLIC_KEY is 32 bytes in base64. */
async function constantsOf(target: Target | null, folder: string, env: NodeJS.ProcessEnv) {
  return {
    RALPH_BUILD_OVERVIEW: await overviewOf(folder),
    ...(target === null ? {} : { RALPH_BUILD_TARGET: target.name }),
    RALPH_BUILD_PUBLIC_KEY: (env.RALPH_PUBLIC_KEY ?? "").trim(),
  };
}

/** `ralph --help` of the program in a folder. To make it takes longer than all else that a start of the program does. */
async function overviewOf(folder: string): Promise<string> {
  const load = (file: string) => import(pathToFileURL(join(folder, "src", "cli", file)).href);
  const { overview }: typeof import("../../../src/cli/args/help.ts") = await load("args/help.ts");
  const { COMMANDS }: typeof import("../../../src/cli/command-table.ts") = await load("command-table.ts");
  return overview(COMMANDS);
}

/**
 * Modules that the user waits for at the prompt or before the first agent; the rest may take some milliseconds to
 * parse.
 */
const startUp: readonly string[] = [
  "cli/run-command.ts",
  "cli/args/route.ts",
  "cli/command-table.ts",
  "cli/args/complete-words.ts",
  "cli/print-overview.ts",
  "cli/commands/help.ts",
  "cli/commands/completions.ts",
  "cli/definitions/run.ts",
  "cli/definitions/status.ts",
  "cli/commands/status.ts",
  "cli/recorded-state.ts",
  "cli/adopted-state.ts",
  "cli/commands/run.ts",
  "cli/show/run-view-lines.ts",
];

/**
 * The options to compile ralph for a target; null for this machine if it is none of the targets.
 * @param folder the project
 */
export async function ralphFor(
  target: Target | null,
  outfile: string,
  folder = root,
  env = process.env,
): Promise<CompileOptions> {
  const entry = join(folder, "src", "main.ts");
  return {
    entry,
    outfile,
    constants: await constantsOf(target, folder, env),
    startUp,
    seldomCompiled: true,
    order: orderFile,
    packed: ["unpdf", "node-forge", "isomorphic-git", "qr"],
  };
}

/** Compiles ralph for this machine, with the Bun that runs this. @returns null, or the error */
export async function compileHere(outfile: string, folder = root, env = process.env): Promise<string | null> {
  return compile(await ralphFor(hostTarget(), outfile, folder, env));
}

/** The path of a target's program below `dist/`. */
export function programPath(target: Target, dist = join(root, "dist")): string {
  return join(dist, target.name, programName(target.os));
}
