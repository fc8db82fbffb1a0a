/** The submodules of a repository, as its index has them: git looks into the repository in each, with the settings there. */
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { type Git, needOf, TRANSFER_TIMEOUT_MS } from "./git-program.ts";
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
  return (await changedSubmodules(git)).map(({ path }) => path);
}

/** What git says of a commit that the remote of a submodule does not have: with its path, and the commit. */
export const MISSING_IN_REMOTE = /Fetched in submodule path '(.+)', but it did not contain ([0-9a-f]+)/;

/**
 * Brings the submodules that are checked out to the commits of the index: a switch or a merge leaves them where they are, and the next commit
 * of all that lies there would take back what others did in them. A commit that no remote of theirs has keeps a ref there, also of one
 * inside another.
 * @throws RalphError `environment` if git refuses, as for files in one that would be overwritten
 */
export async function followSubmodules(git: Git): Promise<void> {
  await bringAlong(git, await movedSubmodules(git));
}

/** The same for those alone that a kill kept from following (`behindSubmodules`). One that cannot be had now keeps nobody from work. */
export async function followAfterKill(git: Git): Promise<void> {
  try {
    await bringAlong(git, await behind(git));
  } catch {
    // Its remote is away, or lacks the commit: it stays as it is, and no commit takes it.
  }
}

async function bringAlong(git: Git, moved: readonly Moved[]): Promise<void> {
  for (const { path, root, folder } of moved) {
    const inside = gitInside(git, folder);
    const head = await inside.need(["rev-parse", "--verify", "HEAD"]);
    const own = await inside.need(["rev-list", "--max-count=1", head, "--not", "--remotes"]);
    if (own !== "") await inside.need(["update-ref", `refs/ralph/${head}`, head]);
    await git.need(["-C", root, "submodule", "--quiet", "update", "--checkout", "--", path], {
      timeoutMs: TRANSFER_TIMEOUT_MS,
    });
    // Not by git's --recursive, which keeps no ref.
    await followSubmodules(inside);
  }
}

function gitInside({ run }: Git, folder: string): Git {
  const inside: Git["run"] = (args, options) => run(["-C", folder, ...args], options);
  return { dir: folder, run: inside, need: needOf(inside) };
}

/** The submodules, from the root, that lack the commit of the index: what is checked out there is from before, and nobody's work. */
export async function behindSubmodules(git: Git): Promise<string[]> {
  return (await behind(git)).map(({ path }) => path);
}

async function behind(git: Git): Promise<Moved[]> {
  const found: Moved[] = [];
  for (const one of await movedSubmodules(git))
    if ((await git.run(["-C", one.folder, "cat-file", "-e", `${one.commit}^{commit}`])).code !== 0) found.push(one);
  return found;
}

/** From the root of the repository around it. */
type Moved = { path: string; root: string; folder: string; commit: string };

/** Those in which another commit is checked out than the `commit` that the index has: their paths from the root, and their folders. */
async function movedSubmodules(git: Git): Promise<Moved[]> {
  const moved = (await changedSubmodules(git)).filter(({ isMoved }) => isMoved);
  if (moved.length === 0) return [];
  const root = await git.need(["rev-parse", "--show-toplevel"]);
  return moved.map(({ path, commit }) => ({ path, root, folder: join(root, path), commit }));
}

/** `isMoved`: another commit is checked out there than the `commit` that the index has. Paths from the root. */
async function changedSubmodules(git: Git): Promise<{ path: string; commit: string; isMoved: boolean }[]> {
  const { code, stdout } = await git.run(["status", "--porcelain=v2", "-z", "--ignore-submodules=none", "-uno"]);
  if (code !== 0) return [];
  // `1 XY sub mH mI mW hH hI path`, `2 …` with a score and the old name, `u` for conflicts (git-status manual).
  return stdout.split("\0").flatMap((line) => {
    const [, moved, commit, path] = /^1 \S+ S(?!\.\.\.)(\S)\S+ (?:\S+ ){4}(\S+) (.+)$/s.exec(line) ?? [];
    return path === undefined || commit === undefined ? [] : [{ path, commit, isMoved: moved === "C" }];
  });
}
