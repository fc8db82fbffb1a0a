/** The submodules of a repository, as its index has them: git looks into the repository in each, with the settings there. */
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import type { Git } from "./git-program.ts";
import { createSettingsReader } from "./git-settings.ts";
import { GITLINK, modeOf } from "./index-file.ts";
import type { Repository } from "./repository.ts";
import { readEntries } from "./tracked.ts";

/** Where each has its repository, or would: absolute paths of `.git`. None of an index that cannot be read. */
export function submodulePlaces(repository: Repository, env: EnvVars): string[] {
  const { objectFormat } = createSettingsReader(env, process.platform === "win32")(repository);
  try {
    const entries = readEntries(repository, join(repository.gitDir, "index"), objectFormat === "sha256" ? 32 : 20);
    return entries.flatMap((entry) => (modeOf(entry) === GITLINK ? [join(repository.root, entry.path, ".git")] : []));
  } catch {
    return []; // there is none yet, or git cannot read it either
  }
}

/** The submodules that hold what no commit of the repository around them knows. */
export async function dirtySubmodules(git: Git): Promise<string[]> {
  const { code, stdout } = await git.run(["status", "--porcelain=v2", "-z", "--ignore-submodules=none", "-uno"]);
  if (code !== 0) return [];
  // `1 XY sub mH mI mW hH hI path`, `2 …` with a score and the old name, `u` for conflicts (git-status manual).
  return stdout.split("\0").flatMap((line) => {
    const [, path] = /^1 \S+ S(?!\.\.\.)\S+ (?:\S+ ){5}(.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
}
