/** The refs of the repository that workers share. */
import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Git } from "../git/git-program.ts";
import { discoverRepository, repositoryAt } from "../git/repository.ts";

/**
 * The commits of a ref, or of all refs in a folder, by their full names.
 * @param name such as `refs/heads/main`; a folder without a slash at its end
 * @throws RalphError `environment` if the hub is not reached
 */
export async function hubRefs(git: Git, hub: string, name: string): Promise<Map<string, string>> {
  const args = isOwnRepository(git, hub)
    ? ["for-each-ref", "--format=%(objectname)%09%(refname)", name]
    : ["ls-remote", "--quiet", hub, name, `${name}/*`];
  const lines = (await git.need(args)).split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [commit = "", ref = ""] = line.split("\t");
      // git also lists what ends like that, as a backup in `refs/backup/refs/heads/main`.
      return ref === name || ref.startsWith(`${name}/`) ? [[ref, commit] as const] : [];
    }),
  );
}

/**
 * Whether the hub is the repository that this checkout belongs to: its refs, and what they name, are there already. A swarm asks many times a
 * minute, and a remote of the same folder starts ten programs for what one tells.
 */
export function isOwnRepository(git: Git, hub: string): boolean {
  try {
    const own = discoverRepository(realpathSync(git.dir));
    if (own === null) return false;
    const there = realpathSync(resolve(git.dir, hub));
    const folder = isAbsolute(hub) ? (repositoryAt(there)?.commonDir ?? there) : there;
    return realpathSync(folder) === realpathSync(own.commonDir);
  } catch {
    return false; // a URL or a remote's name
  }
}
