import { join } from "node:path";
import { programName, root } from "../paths.ts";
import { type CompileOptions, compile } from "./compile.ts";
import { hostTarget, type Target } from "./targets.ts";

/** Values that are fixed when a program is compiled; RALPH_PUBLIC_KEY is 32 bytes in base64. */
function constantsOf(target: Target | null, env: NodeJS.ProcessEnv): Record<string, string> {
  return {
    ...(target === null ? {} : { RALPH_BUILD_TARGET: target.name }),
    RALPH_BUILD_PUBLIC_KEY: (env.RALPH_PUBLIC_KEY ?? "").trim(),
  };
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
export function ralphFor(target: Target | null, outfile: string, folder = root, env = process.env): CompileOptions {
  const entry = join(folder, "src", "main.ts");
  return {
    entry,
    outfile,
    constants: constantsOf(target, env),
    startUp,
    packed: ["unpdf", "node-forge", "isomorphic-git"],
  };
}

/** Compiles ralph for this machine, with the Bun that runs this. @returns null, or the error */
export function compileHere(outfile: string, folder = root, env = process.env): Promise<string | null> {
  return compile(ralphFor(hostTarget(), outfile, folder, env));
}

/** The path of a target's program below `dist/`. */
export function programPath(target: Target, dist = join(root, "dist")): string {
  return join(dist, target.name, programName(target.os));
}
