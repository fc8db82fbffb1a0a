/** Runs the `git` program if it is installed; used only for what cannot be read from files. */
import { definedOnly, type EnvVars } from "../../core/env-vars.ts";
import { runSync } from "../process/run-sync.ts";
import type { Repository } from "./repository.ts";

const TIMEOUT_MS = 10_000;

/** Runs git on a repository and returns its trimmed output, or null if git is missing or failed. */
export type GitBinary = (repository: Repository, args: readonly string[]) => string | null;

export function createGitBinary(env: EnvVars): GitBinary {
  // GIT_DIR and similar variables would point git at another repository; GIT_CONFIG_* only locate settings, so they stay.
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG_"));
  const childEnv = definedOnly({ ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" });
  return ({ gitDir }, args) => {
    const place = { cwd: gitDir, env: childEnv, timeoutMs: TIMEOUT_MS };
    const { exitCode, stdout } = runSync(["git", `--git-dir=${gitDir}`, ...args], place);
    return exitCode === 0 ? stdout.trim() : null;
  };
}
