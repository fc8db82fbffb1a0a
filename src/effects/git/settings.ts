/** The few settings of git that decide which files it tracks and how it compares them. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type ConfigEntry, isTrue, parseGitConfig } from "./config.ts";
import { stampOf, textOf } from "./read.ts";
import { type Head, readHead } from "./refs.ts";
import type { Repository } from "./repository.ts";

export type GitSettings = {
  /** Whether the exec bit counts. */
  fileMode: boolean;
  ignoreCase: boolean;
  /** Whether inode and change time in the index can be relied on. */
  trustInode: boolean;
  trustCtime: boolean;
  sparseCheckout: boolean;
  objectFormat: string;
  refStorage: string;
  /** The user's own ignore file. */
  excludesFile: string | null;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a repository (null: only the user's own); files are read again only when they changed. */
export function createSettingsReader(
  env: Environment,
  windows: boolean,
): (repository: Repository | null) => GitSettings {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  let known: { root: string | null; stamps: ReadonlyMap<string, string | null>; settings: GitSettings } | null = null;
  return (repository) => {
    const root = repository?.gitDir ?? null;
    if (known !== null && known.root === root && [...known.stamps].every(([path, stamp]) => stampOf(path) === stamp)) {
      return known.settings;
    }
    const stamps = new Map<string, string | null>();
    const read = (path: string): string | null => {
      stamps.set(path, stampOf(path));
      return textOf(path);
    };
    const values = new Map<string, string>();
    const context: IncludeContext = {
      home,
      head: () => (repository === null ? null : readHead(repository)),
      root,
      read,
    };
    for (const path of configFiles(env, home, repository, windows)) {
      for (const [key, value] of entriesOf(path, context, MAX_INCLUDE_DEPTH)) values.set(key, value);
    }
    const settings = settingsFrom(values, env, home, windows);
    known = { root, stamps, settings };
    return settings;
  };
}

function settingsFrom(
  values: ReadonlyMap<string, string>,
  env: Environment,
  home: string,
  windows: boolean,
): GitSettings {
  const flag = (key: string, otherwise: boolean): boolean => (values.has(key) ? isTrue(values.get(key)) : otherwise);
  const minimal = values.get("core.checkstat")?.toLowerCase() === "minimal";
  const xdg = env.XDG_CONFIG_HOME;
  const excludes = values.get("core.excludesfile");
  return {
    fileMode: !windows && flag("core.filemode", true),
    ignoreCase: flag("core.ignorecase", false),
    trustInode: !windows && !minimal,
    trustCtime: !windows && !minimal && flag("core.trustctime", true),
    sparseCheckout: flag("core.sparsecheckout", false),
    objectFormat: values.get("extensions.objectformat")?.toLowerCase() ?? "sha1",
    refStorage: values.get("extensions.refstorage")?.toLowerCase() ?? "files",
    excludesFile:
      excludes === undefined
        ? join(xdg === undefined || xdg === "" ? join(home, ".config") : xdg, "git", "ignore")
        : excludes === ""
          ? null
          : expandHome(excludes, home),
  };
}

/** From the least to the most specific. */
function configFiles(env: Environment, home: string, repository: Repository | null, windows: boolean): string[] {
  const files: string[] = [];
  const system = env.GIT_CONFIG_SYSTEM;
  if (!isTrue(env.GIT_CONFIG_NOSYSTEM)) {
    if (system !== undefined) files.push(system);
    else if (windows) files.push(join(env.ProgramFiles ?? "C:\\Program Files", "Git", "etc", "gitconfig"));
    else files.push("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig");
  }
  const xdg = env.XDG_CONFIG_HOME;
  const global = env.GIT_CONFIG_GLOBAL;
  if (global !== undefined) files.push(global);
  else
    files.push(
      join(xdg === undefined || xdg === "" ? join(home, ".config") : xdg, "git", "config"),
      join(home, ".gitconfig"),
    );
  if (repository !== null) {
    files.push(join(repository.commonDir, "config"));
    const own = join(repository.gitDir, "config.worktree");
    if (existsSync(own)) files.push(own);
  }
  return files.filter((path) => path !== "");
}

type IncludeContext = {
  home: string;
  root: string | null;
  head: () => Head | null;
  read: (path: string) => string | null;
};
const MAX_INCLUDE_DEPTH = 10;

function entriesOf(path: string, context: IncludeContext, depth: number): ConfigEntry[] {
  const text = context.read(path);
  if (text === null) return [];
  return parseGitConfig(text).flatMap((entry) => {
    const condition = /^include(?:if\.(.*))?\.path$/s.exec(entry[0]);
    if (condition === null || depth === 0 || !holds(condition[1], path, context)) return [entry];
    const target = expandHome(entry[1], context.home);
    return entriesOf(isAbsolute(target) ? target : resolve(dirname(path), target), context, depth - 1);
  });
}

/** `includeIf` by folder or branch; the conditions on remotes never hold here. */
function holds(condition: string | undefined, file: string, context: IncludeContext): boolean {
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

function globMatches(glob: string, text: string, ignoreCase: boolean): boolean {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[\\^$.+()[\]{}|]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  return new RegExp(`^${source}$`, ignoreCase ? "is" : "s").test(text);
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}
