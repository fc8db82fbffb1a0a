import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../paths.ts";

const source = join(root, "scripts", "bench-agent", "agent.c");

/**
 * Compiles the fast agent, so that measurements contain ralph and not the start of a language runtime.
 * @returns the program, or null without a C compiler: figures that need it are left out
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
