/** Git's settings files, from least to most specific, with the files that they include. */
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { isLike, lowered, parseWildcard } from "../../core/text/wildmatch.ts";
import { type ConfigEntry, isTrue, parseGitConfig } from "./config-syntax.ts";
import { bytesOf } from "./names.ts";
import { type Head, readHead } from "./refs.ts";
import type { Repository } from "./repository.ts";

export type ConfigSource = {
  env: EnvVars;
  home: string;
  windows: boolean;
  /** Text of a file; null if there is none. */
  read(path: string): string | null;
};

/** All settings in effect for a repository (null: only the user's own), by full key. */
export function loadConfig(source: ConfigSource, repository: Repository | null): Map<string, string> {
  const values = new Map<string, string>();
  const context: IncludeContext = {
    ...source,
    root: repository?.gitDir ?? null,
    head: () => (repository === null ? null : readHead(repository)),
  };
  for (const path of configFiles(source, repository)) {
    for (const [key, value] of entriesOf(path, context, MAX_INCLUDE_DEPTH)) values.set(key, value);
  }
  return values;
}

/** Folder of the user's settings according to XDG. */
export function xdgFolder(env: EnvVars, home: string): string {
  const folder = env.XDG_CONFIG_HOME;
  return join(folder === undefined || folder === "" ? join(home, ".config") : folder, "git");
}

function configFiles({ env, home, windows }: ConfigSource, repository: Repository | null): string[] {
  const files: string[] = [];
  if (!isTrue(env.GIT_CONFIG_NOSYSTEM)) files.push(...systemFiles(env, windows));
  if (env.GIT_CONFIG_GLOBAL !== undefined) files.push(env.GIT_CONFIG_GLOBAL);
  else files.push(join(xdgFolder(env, home), "config"), join(home, ".gitconfig"));
  if (repository !== null) {
    files.push(join(repository.commonDir, "config"), join(repository.gitDir, "config.worktree"));
  }
  return files.filter((path) => path !== "");
}

/** Candidates for git's built-in path; only git itself knows which one it uses. */
function systemFiles(env: EnvVars, windows: boolean): string[] {
  if (env.GIT_CONFIG_SYSTEM !== undefined) return [env.GIT_CONFIG_SYSTEM];
  if (windows) return [join(env.ProgramFiles ?? "C:\\Program Files", "Git", "etc", "gitconfig")];
  return ["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"];
}

type IncludeContext = ConfigSource & { root: string | null; head(): Head | null };
const MAX_INCLUDE_DEPTH = 10;

function entriesOf(path: string, context: IncludeContext, depth: number): ConfigEntry[] {
  const text = context.read(path);
  if (text === null) return [];
  return parseGitConfig(text).flatMap((entry) => {
    const condition = /^include(?:if\.(.*))?\.path$/s.exec(entry[0]);
    if (condition === null || depth === 0 || !conditionMatches(condition[1], path, context)) return [entry];
    const target = expandHome(entry[1], context.home);
    return entriesOf(isAbsolute(target) ? target : resolve(dirname(path), target), context, depth - 1);
  });
}

/** Supports `includeIf` by folder or branch; conditions on remotes never match. */
function conditionMatches(condition: string | undefined, file: string, context: IncludeContext): boolean {
  if (condition === undefined) return true;
  const [, kind, pattern] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? [];
  if (kind === undefined || pattern === undefined) return false;
  const full = pattern.endsWith("/") ? `${pattern}**` : pattern;
  if (kind === "onbranch") return globMatches(full, context.head()?.branch ?? "", false);
  if (context.root === null) return false;
  const home = expandHome(full, context.home);
  const based = home.startsWith("./") ? `${dirname(file)}${home.slice(1)}` : home;
  const anchored = isAbsolute(based) ? based : `**/${based}`;
  return globMatches(anchored.replaceAll("\\", "/"), context.root.replaceAll("\\", "/"), kind === "gitdir/i");
}

function globMatches(glob: string, text: string, fold: boolean): boolean {
  const wildcard = parseWildcard(bytesOf(glob), fold);
  const bytes = bytesOf(text);
  return wildcard !== null && isLike(wildcard, fold ? lowered(bytes) : bytes);
}

/** Expands `~/` at the start of a path. */
export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}
