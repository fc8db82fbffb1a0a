import fs from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";

export type FirstCommit = {
  dir: string;
  /** Paths of the files to commit, relative, with forward slashes. */
  files: readonly string[];
  message: string;
  author: { name: string; email: string };
  branch: string;
};

/**
 * Turns a folder into a git repository with a first commit; needs no git program.
 * @throws RalphError `environment` if the folder is not writable
 */
export async function newRepository({ dir, files, message, author, branch }: FirstCommit): Promise<void> {
  const git = await import("isomorphic-git");
  try {
    await git.init({ fs, dir, defaultBranch: branch });
    await git.add({ fs, dir, filepath: [...files] });
    await git.commit({ fs, dir, message, author });
  } catch (cause) {
    throw new RalphError("environment", `The git repository in ${dir} could not be made: ${reasonOf(cause)}`, {
      hint: "The files are written. Make the repository yourself: git init && git add -A && git commit",
      cause,
    });
  }
}
