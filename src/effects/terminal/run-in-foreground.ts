import { spawnSync } from "node:child_process";
import type { EnvVars } from "../../core/env-vars.ts";

/**
 * Hands this terminal to a program until it ends.
 * @returns its exit code; null if it could not be started or a signal ended it
 */
export function runInForeground(argv: readonly string[], env: EnvVars): number | null {
  const [program = "", ...words] = argv;
  return spawnSync(program, words, { env: { ...env }, stdio: "inherit" }).status;
}
