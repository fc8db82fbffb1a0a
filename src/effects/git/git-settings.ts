/** The git settings that decide which files git tracks and how it compares them. */
import { join, resolve } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { homeFolder } from "../user/home.ts";
import { expandHome, loadConfig, xdgFolder } from "./config-files.ts";
import { isTrue } from "./config-syntax.ts";
import { readStamp, readText } from "./read.ts";
import type { Repository } from "./repository.ts";

export type GitSettings = {
  /** Whether the executable bit counts. */
  fileMode: boolean;
  ignoreCase: boolean;
  /** Whether the index's inode and change time are reliable. */
  trustInode: boolean;
  trustCtime: boolean;
  sparseCheckout: boolean;
  objectFormat: string;
  refStorage: string;
  /** The user's own ignore file. */
  excludesFile: string | null;
  /** Git may store files other than they lie on the disk, beside what `.gitattributes` says: line ends, filters. */
  converts: boolean;
};

export type SettingsReader = (repository: Repository | null) => GitSettings;

/** Reads the settings of a repository (null: only the user's own); reads the files again only when one changed. */
export function createSettingsReader(env: EnvVars, windows: boolean): SettingsReader {
  const home = homeFolder(env);
  let known: { root: string | null; stamps: ReadonlyMap<string, string | null>; settings: GitSettings } | null = null;
  return (repository) => {
    const root = repository?.gitDir ?? null;
    if (
      known !== null &&
      known.root === root &&
      [...known.stamps].every(([path, stamp]) => readStamp(path) === stamp)
    ) {
      return known.settings;
    }
    const stamps = new Map<string, string | null>();
    const read = (path: string): string | null => {
      stamps.set(path, readStamp(path));
      return readText(path);
    };
    const values = loadConfig({ env, home, windows, read }, repository);
    const attributes = attributeFiles(values.get("core.attributesfile"), repository, { env, home });
    const settings = {
      ...settingsFrom(values, { env, home, windows }, repository),
      converts: isConverting(values) || attributes.some((path) => read(path) !== null),
    };
    known = { root, stamps, settings };
    return settings;
  };
}

type User = { env: EnvVars; home: string; windows: boolean };

function settingsFrom(
  values: ReadonlyMap<string, string>,
  { env, home, windows }: User,
  repository: Repository | null,
): Omit<GitSettings, "converts"> {
  const flag = (key: string, otherwise: boolean): boolean => (values.has(key) ? isTrue(values.get(key)) : otherwise);
  const isMinimal = values.get("core.checkstat")?.toLowerCase() === "minimal";
  return {
    fileMode: !windows && flag("core.filemode", true),
    ignoreCase: flag("core.ignorecase", false),
    trustInode: !windows && !isMinimal,
    trustCtime: !windows && !isMinimal && flag("core.trustctime", true),
    sparseCheckout: flag("core.sparsecheckout", false),
    objectFormat: values.get("extensions.objectformat")?.toLowerCase() ?? "sha1",
    refStorage: values.get("extensions.refstorage")?.toLowerCase() ?? "files",
    excludesFile: excludesFile(values.get("core.excludesfile"), repository, { env, home }),
  };
}

function isConverting(values: ReadonlyMap<string, string>): boolean {
  const crlf = values.get("core.autocrlf");
  return isTrue(crlf) || crlf?.toLowerCase() === "input";
}

/** Those that a whole repository obeys. */
function attributeFiles(
  value: string | undefined,
  repository: Repository | null,
  { env, home }: Pick<User, "env" | "home">,
): string[] {
  if (repository === null) return [];
  const own = value === undefined ? join(xdgFolder(env, home), "attributes") : inRepository(value, repository, home);
  return [own, join(repository.commonDir, "info", "attributes")];
}

function excludesFile(
  value: string | undefined,
  repository: Repository | null,
  { env, home }: Pick<User, "env" | "home">,
): string | null {
  if (value === undefined) return join(xdgFolder(env, home), "ignore");
  return value === "" ? null : inRepository(value, repository, home);
}

/** git goes to the root of the repository before it opens a file. */
function inRepository(value: string, repository: Repository | null, home: string): string {
  return resolve(repository?.root ?? "", expandHome(value, home));
}
