/** What a person wrote for ralph, in the worktrees of a swarm: by the commit where one has it, else as the person has it now. */
import { lstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import runTime from "../../../templates/gitignore.txt" with { type: "text" };
import type { Git } from "../git/git-program.ts";
import { isTreePath } from "../git/tree-bytes.ts";
import { RALPH_DIR, readOptional } from "../project/project-paths.ts";
import { hides, patternsOf, rulesOf } from "../snapshot/rules.ts";
import { BESIDE, ownFiles } from "../worktrees/bring-along.ts";
import { copyEntry } from "../worktrees/copy-entry.ts";

const BELOW = `${RALPH_DIR}/`;

export type BroughtAgain = {
  project: string;
  /** What came along when the worktree was made, from the project. */
  brought: readonly string[];
  /** What the worktree has for itself. */
  own: readonly string[];
};

/**
 * Brings what no commit has of `.ralph` into a worktree that is there already: what the person wrote or changed since, but for what was
 * changed there later. What they deleted goes.
 * @param git of the project in the worktree @returns the paths of all that no commit has, from the project
 * @throws the file system's error, RalphError `environment` if git fails
 */
export async function bringAgain(git: Git, { project, brought, own }: BroughtAgain): Promise<string[]> {
  const tracked = (await git.need(["ls-files", "-z", "--", RALPH_DIR])).split("\0");
  const except = new Set([...tracked, ...own]);
  const paths = ownFiles(join(project, RALPH_DIR))
    .map((path) => BELOW + path)
    .filter((path) => !except.has(path));
  for (const path of paths)
    if (isNewer(project, git.dir, path)) copyEntry({ from: project, to: git.dir, path, replace: true });
  const known = new Set(paths);
  // The record of a worktree may have come with a clone.
  const isOurs = (path: string) => path.startsWith(BELOW) && isTreePath(path);
  const gone = brought.filter((path) => isOurs(path) && !except.has(path) && !known.has(path));
  for (const path of gone) await rm(join(git.dir, path), { force: true });
  return paths;
}

function isNewer(from: string, to: string, path: string): boolean {
  const [here, there] = [from, to].map((folder) => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  // A file that was moved into its place keeps the time of its content.
  return here !== undefined && (there === undefined || here.ctimeMs > there.mtimeMs);
}

/**
 * Takes the person's changes to files that a commit has, and that came along, out of a new worktree again: nobody shall commit them there.
 * @param git of the project in the worktree
 * @throws RalphError `environment` if git fails
 */
export async function leaveEdits(git: Git, project: string, named: readonly string[]): Promise<void> {
  for (const path of await changedFiles(git, named)) {
    const [there, here] = [git.dir, project].map((folder) => readOptional(join(folder, path)));
    if (there === here) await git.need(["checkout", "--quiet", "HEAD", "--", path]);
  }
}

/**
 * What a person wrote for ralph, a commit has, and is otherwise now: paths from the project.
 * @param named more such files
 * @throws RalphError `environment` if git fails
 */
export async function changedFiles(git: Git, named: readonly string[]): Promise<string[]> {
  const rules = rulesOf(null, patternsOf(runTime, ""), true);
  const isOwn = (path: string) => {
    if (path === `${BELOW}.gitignore` || BESIDE.test(path) || named.includes(path)) return true;
    return path.startsWith(BELOW) && !hides(rules, path.slice(BELOW.length));
  };
  const changed = await git.need(["diff", "--name-only", "-z", "--no-renames", "--relative", "HEAD", "--", "."]);
  return changed.split("\0").filter(isOwn);
}
