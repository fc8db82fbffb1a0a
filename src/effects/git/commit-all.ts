/** Commits what lies uncommitted in a checkout. */
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { type Git, type GitOptions, type GitResult, gitError, gitSaid } from "./git-program.ts";
import { identityArgs } from "./identity.ts";
import { dirtySubmodules } from "./submodules.ts";
import { underWay } from "./under-way.ts";

/** ms for a commit: a hook may run the tests, and a signature may wait for somebody's passphrase. */
export const COMMIT_TIMEOUT_MS = 600_000;
/** The whole repository, wherever in it git is run. */
const ROOT = ":/";
const HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg"] as const;

type CommitOptions = Pick<GitOptions, "signal" | "hooks"> & {
  isMidway?: boolean;
  leave?: readonly string[];
  onStaged?: (paths: readonly string[]) => Promise<void>;
};

/**
 * Commits all that git does not ignore, in the whole repository, onto what is checked out. The user's hooks run and their signature is made,
 * as for a commit of theirs. A repository inside it that is none of its submodules stays out, as no clone would have its files.
 * @param message its subject, and what else there is to say; lines that begin with `#` stay
 * @param options `hooks: false` for what nobody calls finished; `isMidway`: a merge or rebase may be under way, its marks are committed;
 * `leave`: paths from the root that stay out; `onStaged`: gets what is to be committed, by its paths from the root
 * @returns the commit's id; null if there was nothing to commit
 * @throws RalphError `environment` if git or a hook refuses, while a merge or rebase is under way, or if it is stopped; no file was changed
 */
export async function commitAll(
  git: Git,
  message: string,
  { isMidway = false, leave = [], onStaged, ...options }: CommitOptions = {},
): Promise<string | null> {
  const busy = isMidway ? null : await underWay(git);
  if (busy !== null) throw busyError(busy);
  const except = [...(await nestedRepositories(git, options)), ...leave].map((path) => `:(top,exclude,literal)${path}`);
  await addAll(git, ["--", ROOT, ...except], options);
  const names =
    onStaged === undefined ? ["--quiet"] : ["--exit-code", "--name-only", "-z", "--no-renames", "--no-relative"];
  const compare = ["diff", "--cached", ...names, "--no-ext-diff", "--ignore-submodules=none"];
  const staged = await git.run(compare, options);
  if (staged.code === 0) return null;
  if (staged.code !== 1) throw gitError(compare, staged);
  await onStaged?.(staged.stdout.split("\0").filter((path) => path !== ""));
  const commit = [...(await identityArgs(git)), "commit", "--quiet", "--cleanup=whitespace", "--file=-"];
  const made = await git.run(commit, {
    ...{ hooks: true, ...options },
    ...{ input: message, timeoutMs: COMMIT_TIMEOUT_MS },
  });
  if (made.code !== 0) throw await refusedCommit(git, commit, made);
  return git.need(["rev-parse", "--verify", "HEAD"]);
}

/** Repositories inside that are none of its submodules, from the root, ending in "/": their files are in no commit. */
export async function nestedRepositories(git: Git, options: Pick<GitOptions, "signal"> = {}): Promise<string[]> {
  const listed = await git.need(["ls-files", "-z", "--others", "--exclude-standard", "--full-name", ROOT], options);
  return listed.split("\0").filter((path) => path.endsWith("/"));
}

/** What `commitAll` leaves where it is: those, and submodules with changes of their own. From the root. */
export async function leftInside(git: Git): Promise<string[]> {
  return [...(await nestedRepositories(git)), ...(await dirtySubmodules(git))];
}

/** A sparse checkout is no reason to leave out what was written beside it; what it leaves out stays as it is. */
async function addAll(git: Git, paths: string[], options: GitOptions): Promise<void> {
  const added = await git.run(["add", "--all", ...paths], options);
  if (added.code === 0) return;
  if (!/sparse-checkout/.test(added.stderr)) throw gitError(["add"], added);
  await git.need(["add", "--all", "--sparse", ...paths], options);
}

/** `git add` would take the marks of a conflict for its solution. */
function busyError(what: string): RalphError {
  return new RalphError("environment", `Nothing was committed: a git ${what} is under way in the repository.`, {
    hint: `Finish it, or leave it with: git ${what} --abort`,
  });
}

/** A hook of the user's that refuses a commit: whoever made the work can often mend it. */
export class HookRefusal extends RalphError {}

async function refusedCommit(git: Git, args: readonly string[], made: GitResult): Promise<RalphError> {
  const hooks = await hooksOf(git);
  if (made.ended !== undefined || hooks.length === 0 || /^(?:fatal|error): /m.test(made.stderr))
    return gitError(args, made);
  return new HookRefusal("environment", `A hook (${hooks.join(", ")}) refused the commit: ${gitSaid(made)}`, {
    hint: "Mend what it names. The work is in the files, and staged.",
  });
}

/** The hooks that may refuse a commit. */
async function hooksOf(git: Git): Promise<string[]> {
  const paths = await git.need(["rev-parse", ...HOOKS.flatMap((name) => ["--git-path", `hooks/${name}`])], {
    hooks: true,
  });
  return HOOKS.filter((_, at) => canRun(resolve(git.dir, paths.split("\n")[at] ?? "")));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
