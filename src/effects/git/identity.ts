/** Who the commits are by that ralph makes. */
import { RalphError } from "../../core/errors.ts";
import type { Git } from "./git-program.ts";

const FALLBACK = { name: "ralph", email: "ralph@localhost" };

/**
 * Arguments before the name of a git command that commits: none where git knows the user, so that a commit is as one of theirs. Machines
 * that only run jobs often know nobody; what is missing there is ralph's.
 * @throws RalphError `environment` if the user wants no commit by anybody else (`user.useConfigOnly`)
 */
export async function identityArgs(git: Git): Promise<string[]> {
  const known = async (name: string) => (await git.run(["var", name])).code === 0;
  if ((await known("GIT_AUTHOR_IDENT")) && (await known("GIT_COMMITTER_IDENT"))) return [];
  const setting = async (...args: string[]) => (await git.run(["config", ...args])).stdout.trim();
  if ((await setting("--type=bool", "user.useConfigOnly")) === "true")
    throw new RalphError("environment", "Nothing can be committed: git does not know who you are.", {
      hint: 'Say it with: git config user.name "YOUR NAME" and git config user.email YOU@EXAMPLE.ORG',
    });
  const name = (await setting("user.name")) || FALLBACK.name;
  const email = (await setting("user.email")) || FALLBACK.email;
  return ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
}
