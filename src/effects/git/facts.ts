import type { EnvVars } from "../../core/env-vars.ts";
import { homeFolder } from "../user/home.ts";
import { loadConfig } from "./config-files.ts";
import { readText } from "./read.ts";
import { readHead } from "./refs.ts";
import { discoverRepository } from "./repository.ts";

/** What git knows about a folder and its user. */
export type RepositoryFacts = {
  isRepository: boolean;
  hasCommit: boolean;
  branch: string | null;
  /** URL of `origin`. */
  remote: string | null;
  user: { name: string | null; email: string | null };
  defaultBranch: string | null;
};

/** Reads only files and runs no program. @param folder absolute, links resolved */
export function readRepositoryFacts(folder: string, env: EnvVars, windows: boolean): RepositoryFacts {
  const repository = discoverRepository(folder);
  const config = loadConfig({ env, home: homeFolder(env), windows, read: readText }, repository);
  const head = repository === null ? null : readHead(repository);
  const value = (key: string) => config.get(key) ?? null;
  return {
    isRepository: repository !== null,
    hasCommit: head !== null && head.oid !== null,
    branch: head?.branch ?? null,
    remote: value("remote.origin.url"),
    user: { name: env.GIT_AUTHOR_NAME ?? value("user.name"), email: env.GIT_AUTHOR_EMAIL ?? value("user.email") },
    defaultBranch: value("init.defaultbranch"),
  };
}
