/** The submodules of what is to be landed: the target gets no commit of one that only somebody's worktree has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { checkouts } from "../git/checkouts.ts";
import { createGit, type Git, type GitResult, gitSaid, TRANSFER_TIMEOUT_MS } from "../git/git-program.ts";
import { MISSING_IN_REMOTE } from "../git/submodules.ts";
import type { LandPlace } from "./place.ts";

const UPDATE = ["submodule", "--quiet", "update", "--init", "--recursive", "--force"];
/** What git says of a repository that is no submodule. */
const NO_URL = /No url found for submodule path '(.+)' in \.gitmodules/;
const ID_CHARS = 10;

/**
 * Checks out all of them for the gates, but for a repository that no .gitmodules names: nobody who has the target has its files.
 * @throws RalphError `environment` if that fails
 */
export async function checkOutSubmodules(git: Git): Promise<void> {
  const listed = (await git.need(["ls-files", "-z", "--stage"])).split("\0");
  const paths = listed.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
  if (paths.length === 0) return;
  const all = await failedUpdate(git, paths);
  // One of those keeps git from all others.
  const failed = all !== null && NO_URL.test(all.stderr) ? await failedOfEach(git, paths) : all;
  if (failed === null) return;
  throw new RalphError("environment", `The submodules cannot be checked out for the gates: ${gitSaid(failed)}`, {
    hint: "Nothing was landed. Look at them with: git submodule status",
  });
}

async function failedOfEach(git: Git, paths: readonly string[]): Promise<GitResult | null> {
  for (const path of paths) {
    const failed = await failedUpdate(git, [path]);
    if (failed !== null && !NO_URL.test(failed.stderr)) return failed;
  }
  return null;
}

async function failedUpdate(git: Git, paths: readonly string[]): Promise<GitResult | null> {
  const updated = await git.run([...UPDATE, "--", ...paths], { timeoutMs: TRANSFER_TIMEOUT_MS });
  return updated.code === 0 ? null : updated;
}

/**
 * Sees that whoever gets what is checked out can have the commits of its submodules that `below` does not have.
 * @throws RalphError `environment` with what is to be done, if somebody else could not
 */
export async function needSubmodules(git: Git, below: string, place: LandPlace): Promise<void> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--ignore-submodules=none", below, "HEAD"];
  const fields = (await git.need(args)).split("\0");
  // `:MODE MODE ID ID STATUS`, and the path after it.
  const changed = fields.flatMap((field, at) => (/^:\d+ 160000 /.test(field) ? [fields[at + 1] ?? ""] : []));
  if (changed.length === 0) return;
  const failed = await failedUpdate(git, changed);
  if (failed === null) return;
  const [, path, commit] = MISSING_IN_REMOTE.exec(failed.stderr) ?? [];
  if (path !== undefined && commit !== undefined) throw await missingError(place, path, commit.slice(0, ID_CHARS));
  const [, inner] = NO_URL.exec(failed.stderr) ?? [];
  if (inner !== undefined)
    throw new RalphError("environment", `${inner} is a repository of its own, which no .gitmodules names.`, {
      hint: `Nobody else could have its files: make it a submodule with a remote, or take it out of the branch (git rm --cached ${typedWord(inner)}).`,
    });
  throw new RalphError("environment", `its submodules cannot be checked out: ${gitSaid(failed)}`, {
    hint: "Look at them with: git submodule status",
  });
}

async function missingError({ git, env, stop }: LandPlace, path: string, commit: string): Promise<RalphError> {
  const message = `its submodule ${path} is at ${commit}, which its remote does not have.`;
  for (const { folder } of await checkouts(git)) {
    const inside = join(folder, path);
    if (!existsSync(join(inside, ".git"))) continue;
    const has = await createGit(inside, env, stop).run(["cat-file", "-e", `${commit}^{commit}`]);
    if (has.code !== 0) continue;
    const push = `git -C ${typedWord(inside)} push origin ${commit}:refs/heads/NAME`;
    return new RalphError("environment", message, { hint: `Push it there, and land again: ${push}` });
  }
  return new RalphError("environment", message, {
    hint: "No checkout here has it either: push it from where it was made, and land again.",
  });
}
