/** A `git` program, where there is one: only for what can't be read from files. */
import { execFileSync } from "node:child_process";
import type { Repository } from "./repository.ts";

/** Runs git on a repository; what it printed, trimmed, or null if there is no git or it failed. */
export type GitBinary = (repository: Repository, args: readonly string[]) => string | null;

export function createGitBinary(env: Readonly<Record<string, string | undefined>>): GitBinary {
  // GIT_DIR and its like would point git at another repository; the places of its settings may stay.
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG_"));
  const childEnv = { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return (repository, args) => {
    try {
      return execFileSync("git", [`--git-dir=${repository.gitDir}`, ...args], {
        // Windows looks for programs in the working folder first: never let that be one that the agent writes to.
        cwd: repository.gitDir,
        env: childEnv,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        timeout: 10_000,
        windowsHide: true,
      }).trim();
    } catch {
      return null;
    }
  };
}
