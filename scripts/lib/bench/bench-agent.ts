import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../paths.ts";

const source = join(root, "scripts", "bench-agent", "agent.c");

/**
 * Compiles the fast agent, so that what is measured around it is ralph and not a language's start.
 * @returns the program, or null where there is no C compiler: what needs it is left out
 */
export function compileAgent(folder: string): string | null {
  const program = join(folder, process.platform === "win32" ? "agent.exe" : "agent");
  const compiler = ["cc", "gcc", "clang"].find((name) => Bun.which(name) !== null);
  if (compiler === undefined) return null;
  // A static program starts faster, but not every system can link one.
  for (const flags of [["-O2", "-static"], ["-O2"]]) {
    if (spawnSync(compiler, [...flags, "-o", program, source], { stdio: "ignore" }).status === 0) return program;
  }
  return null;
}
