/** `.worktreeinclude`: which of the files that git ignores a worktree gets too (Claude Code, "Copy gitignored files into worktrees"). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { count } from "../../core/text/count.ts";
import { MAX_SETTINGS_BYTES, readRegular } from "../files/regular-file.ts";
import { copyEntry } from "./copy-entry.ts";
import type { ProjectGit } from "./repository.ts";

export const INCLUDE_FILE = ".worktreeinclude";
/** So many files are copied before a signal gets its turn. */
const BATCH = 100;

export type Include = { root: string; say(text: string): void; signal: AbortSignal };

/**
 * Copies the files that match a pattern of the root's `.worktreeinclude` (the grammar of .gitignore) and that git ignores. Nothing is
 * linked: what a set-up or an agent changes in `node_modules` is that worktree's alone. What the commit has is left as it is there.
 * @throws UnfitFile, the file system's error, RalphError `environment` if git fails; the signal's reason if that aborts
 */
export async function copyIncluded({ root, say, signal }: Include, { git, root: from }: ProjectGit): Promise<void> {
  const file = join(from, INCLUDE_FILE);
  if (!existsSync(file)) return;
  // Git would wait at a pipe's other end.
  readRegular(file, MAX_SETTINGS_BYTES);
  const matching = await git.need(["ls-files", "-z", "--others", "--ignored", `--exclude-from=${file}`], { signal });
  // A folder with a repository of its own ends in a slash: another worktree, or a clone.
  const candidates = matching.split("\0").filter((path) => path !== "" && !path.endsWith("/") && !isOurs(path));
  if (candidates.length === 0) return;
  const asked = await git.run(["check-ignore", "-z", "--stdin"], { input: candidates.join("\0"), signal });
  const ignored = asked.stdout.split("\0").filter((path) => path !== "");
  let copied = 0;
  for (const [at, path] of ignored.entries()) {
    if (at % BATCH === 0) await pause();
    signal.throwIfAborted();
    if (copyEntry({ from, to: root, path, replace: false })) copied += 1;
  }
  if (copied > 0) say(`${count(copied, "file")} that git ignores came along (${INCLUDE_FILE})`);
}

function isOurs(path: string): boolean {
  return path.split("/").includes(".ralph");
}
