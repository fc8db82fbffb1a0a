/** Runs the `git` program if it is installed; used only for what cannot be read from files. */
import { definedOnly, type EnvVars } from "../../core/env-vars.ts";
import { runSync } from "../process/run-sync.ts";
import type { GitObject } from "./loose-objects.ts";
import type { Repository } from "./repository.ts";

const TIMEOUT_MS = 10_000;

/**
 * git waits for nobody, locks nothing, and fetches nothing: where an object is missing, the repository's settings would say which program
 * brings it. Versions before 2.45 know only the list of protocols.
 */
const QUIET = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Runs git on a repository and returns its trimmed output, or null if git is missing or failed. */
export type GitBinary = (repository: Repository, args: readonly string[]) => string | null;

export function createGitBinary(env: EnvVars): GitBinary {
  const childEnv = gitEnv(env);
  return ({ gitDir }, args) => {
    const place = { cwd: gitDir, env: childEnv, timeoutMs: TIMEOUT_MS };
    const { exitCode, stdout } = runSync(["git", `--git-dir=${gitDir}`, ...args], place);
    return exitCode === 0 ? stdout.trim() : null;
  };
}

/** An object as git itself reads it; null if git is missing or has no such object. */
export function objectByGit({ gitDir }: Repository, id: string, env: EnvVars): GitObject | null {
  const place = { cwd: gitDir, env: gitEnv(env), input: `${id}\n`, timeoutMs: TIMEOUT_MS, encoding: "latin1" } as const;
  const { exitCode, stdout } = runSync(["git", `--git-dir=${gitDir}`, "cat-file", "--batch"], place);
  const [, kind, size] = /^[0-9a-f]+ (\w+) (\d+)\n/.exec(stdout) ?? [];
  if (exitCode !== 0 || kind === undefined) return null;
  const at = stdout.indexOf("\n") + 1;
  return { kind, body: Buffer.from(stdout.slice(at, at + Number(size)), "latin1") };
}

function gitEnv(env: EnvVars): Record<string, string> {
  // GIT_DIR and similar variables would point git at another repository; GIT_CONFIG_* only locate settings, so they stay.
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG_"));
  return definedOnly({ ...Object.fromEntries(kept), ...QUIET });
}
