/** What git knows of a project, as far as a worktree needs it. */
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { slashPath } from "../files/slash-path.ts";
import { createGit, type Git, gitSaid } from "../git/git-program.ts";
import { projectMark } from "../git/project-mark.ts";
import { discoverRepository } from "../git/repository.ts";

export type ProjectGit = {
  /** In the root of the checkout that the project lies in. */
  git: Git;
  root: string;
  commonDir: string;
  /** The project's path from the root, with forward slashes; "" for the root. */
  prefix: string;
  /** Tells it apart from others in the repository; null if it is alone there. */
  mark: string | null;
};

/** @param project absolute, links resolved @param stop that of `createGit` @throws RalphError `environment` without a repository or without git */
export async function projectGit(project: string, env: EnvVars, stop?: AbortSignal): Promise<ProjectGit> {
  const repository = discoverRepository(project);
  if (repository === null)
    throw new RalphError("environment", `A worktree needs a git repository, and ${project} is in none.`, {
      hint: "Make one: git init && git add -A && git commit -m first",
    });
  const { root, commonDir } = repository;
  const git = createGit(root, env, stop);
  const prefix = slashPath(root, project);
  const asked = await git.run(["rev-parse", "--is-inside-work-tree"]);
  if (asked.code === 0 && asked.stdout.trim() === "true")
    return { git, root, commonDir, prefix, mark: projectMark(repository, prefix) };
  throw new RalphError("environment", `git cannot work in ${root}: ${gitSaid(asked)}`, {
    hint: "Look at it with: git status",
  });
}

/** The commit of a name; null if there is none. */
export async function commitOf(git: Git, name: string): Promise<string | null> {
  const { code, stdout } = await git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  return code === 0 ? stdout.trim() : null;
}

/** The branch that is checked out; null if none is. */
export async function currentBranch(git: Git): Promise<string | null> {
  const { code, stdout } = await git.run(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return code === 0 ? stdout.trim() : null;
}

export async function branchTip(git: Git, branch: string): Promise<string | null> {
  const { code, stdout } = await git.run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return code === 0 ? stdout.trim() : null;
}
