/** HEAD in every ref format: from files where they can be read, else through a git program. */
import { join } from "node:path";
import type { GitBinary } from "./binary.ts";
import type { GitSettings } from "./git-settings.ts";
import { readText } from "./read.ts";
import { type Head, readHead, shortBranch } from "./refs.ts";
import type { Repository } from "./repository.ts";

export type HeadReader = (repository: Repository, settings: GitSettings) => Head;

/** `warn` is called each time that HEAD can't be read at all. */
export function createHeadReader(git: GitBinary, warn: (message: string) => void): HeadReader {
  let asked: { key: string; head: Head } | null = null;
  return (repository, settings) => {
    if (settings.refStorage === "files") return readHead(repository);
    const key = tableKey(repository);
    if (asked !== null && asked.key === key) return asked.head;
    const branch = git(repository, ["symbolic-ref", "--quiet", "HEAD"]);
    const oid = git(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    if (oid === null && branch === null) {
      warn(
        `git keeps its refs as "${settings.refStorage}" and no git program was found: commits are not seen, changed files are`,
      );
    }
    const head = { oid, branch: branch === null ? null : shortBranch(branch) };
    asked = { key, head };
    return head;
  };
}

/** reftable: every update of a ref makes new tables, and their list is rewritten. */
function tableKey({ gitDir, commonDir }: Repository): string {
  const lists = [gitDir, commonDir].map((folder) => readText(join(folder, "reftable", "tables.list")));
  return [gitDir, ...lists].join("\n");
}
