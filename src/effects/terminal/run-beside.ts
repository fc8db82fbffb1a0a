import { spawn } from "node:child_process";
import type { EnvVars } from "../../core/env-vars.ts";

/**
 * Runs a program on this terminal while this process goes on with its work, which must not write to the terminal.
 * @returns the program's exit code; null if a signal ended it
 * @throws the system's error if it cannot be started
 */
export function runBeside(argv: readonly string[], env: EnvVars): Promise<number | null> {
  const [program = "", ...words] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: { ...env }, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", resolve);
  });
}
