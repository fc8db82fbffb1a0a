/** Reads HEAD in every ref format: from files if possible, otherwise through git. */
import { join } from "node:path";
import type { GitBinary } from "./binary.ts";
import type { GitSettings } from "./git-settings.ts";
import { readText } from "./read.ts";
import { type Head, readHead, shortBranch } from "./refs.ts";
import type { Repository } from "./repository.ts";

export type HeadReader = (repository: Repository, settings: GitSettings) => Head;

/** @param warn called each time HEAD cannot be read at all */
export function createHeadReader(git: GitBinary, warn: (message: string) => void): HeadReader {
  let cached: { key: string; head: Head } | null = null;
  return (repository, settings) => {
    if (settings.refStorage === "files") return readHead(repository);
    const key = tableKey(repository);
    if (cached !== null && cached.key === key) return cached.head;
    const branch = git(repository, ["symbolic-ref", "--quiet", "HEAD"]);
    const oid = git(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    if (oid === null && branch === null) {
      warn(
        `git stores its refs as "${settings.refStorage}" and no git program was found: ralph sees changed files, but no commits`,
      );
    }
    const head = { oid, branch: branch === null ? null : shortBranch(branch) };
    cached = { key, head };
    return head;
  };
}

/** reftable: each ref update adds tables and rewrites their list. */
function tableKey({ gitDir, commonDir }: Repository): string {
  const lists = [gitDir, commonDir].map((folder) => readText(join(folder, "reftable", "tables.list")));
  return [gitDir, ...lists].join("\n");
}
