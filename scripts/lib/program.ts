import { join } from "node:path";
import { compile } from "./compile.ts";
import { programName, root } from "./paths.ts";
import { hostTarget, type Target } from "./targets.ts";

/** What is fixed in a program when it is compiled; RALPH_PUBLIC_KEY is 32 bytes in base64. */
export function constantsOf(target: Target | null, env = process.env): Record<string, string> {
  return {
    ...(target === null ? {} : { RALPH_BUILD_TARGET: target.name }),
    RALPH_BUILD_PUBLIC_KEY: (env.RALPH_PUBLIC_KEY ?? "").trim(),
  };
}

/** Compiles ralph for this machine, with the Bun that compiles. @returns null, or what went wrong */
export function compileHere(outfile: string, folder = root): Promise<string | null> {
  return compile({ entry: join(folder, "src", "main.ts"), outfile, constants: constantsOf(hostTarget()) });
}

/** File of a target's program below `dist/`. */
export function programOf(target: Target, dist = join(root, "dist")): string {
  return join(dist, target.name, programName(target.os));
}
