/** Keeps out of the commits of a worktree what is the person's: what came along into it and no commit has. */
import { join } from "node:path";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { writeFileAtomic } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import type { Git } from "../git/git-program.ts";
import { prepareRalphDir, RALPH_DIR, readOptional } from "../project/project-paths.ts";

const FILE = `${RALPH_DIR}/.gitignore`;
/** Above the rules of a worker. */
const HEADING = "# What came along, and is no work of a worker's.";

/**
 * Has git ignore files below the `.ralph` of this checkout alone, by the `.gitignore` there. It ignores itself; one that a commit has
 * gets those rules that it lacks, and is hidden from git (`withCommittedRules`). Files that a commit has stay as they are.
 * @param git of the project in this checkout @param paths from the project; those outside `.ralph` are left
 * @throws RalphError `environment` if it cannot be written
 */
export async function keepOut(git: Git, paths: readonly string[]): Promise<void> {
  const below = paths.filter((path) => path.startsWith(`${RALPH_DIR}/`) && path !== FILE && !/[\r\n]/.test(path));
  const open = (await isTracked(git)) ? await notIgnored(git, below) : below;
  await addRules(
    git,
    open.map((path) => path.slice(RALPH_DIR.length).replace(/[\\*?[ ]/g, "\\$&")),
  );
}

/**
 * The same where no commit has that `.gitignore`, and git never meets the rules: in a worktree whose branch is a person's to merge and
 * rebase. Committed there, such a file would be in the way of the person's own, in no commit, when the branch lands.
 */
export async function keepOutIfUntracked(git: Git, paths: readonly string[]): Promise<void> {
  const ours = paths.filter((path) => path.startsWith(`${RALPH_DIR}/`));
  if (ours.length > 0 && !(await isTracked(git))) await keepOut(git, ours);
}

/**
 * Lets git change the checkout from one commit to another while the `.gitignore` is as the commit has it; what a worker's rules name is
 * not ignored meanwhile.
 */
export async function withCommittedRules<T>(git: Git, act: () => Promise<T>): Promise<T> {
  const lines = (readOptional(join(git.dir, FILE)) ?? "").split("\n");
  if (!lines.includes(HEADING)) return act();
  const rules = lines.slice(lines.indexOf(HEADING) + 1).filter((line) => line !== "");
  const listed = await git.run(["ls-files", "-v", "--", FILE]);
  if (listed.stdout.startsWith("S ")) {
    await git.need(["update-index", "--no-skip-worktree", "--", FILE]);
    await git.need(["checkout", "--quiet", "HEAD", "--", FILE]);
  }
  try {
    return await act();
  } finally {
    await addRules(git, rules);
  }
}

/**
 * Ends a conflict over the `.gitignore` in favour of a commit: what a worker makes of it gets into no commit either.
 * @returns whether there was one
 */
export async function takeRulesOf(git: Git, commit: string): Promise<boolean> {
  if ((await git.need(["ls-files", "--unmerged", "--", FILE])) === "") return false;
  const hasIt = (await git.run(["cat-file", "-e", `${commit}:./${FILE}`])).code === 0;
  await git.need(hasIt ? ["checkout", "--quiet", commit, "--", FILE] : ["rm", "--quiet", "--force", "--", FILE]);
  return true;
}

/** Adds what is missing of these rules. */
async function addRules(git: Git, rules: readonly string[]): Promise<void> {
  const tracked = await isTracked(git);
  if (!tracked) prepareRalphDir(join(git.dir, RALPH_DIR), ignored);
  const text = readOptional(join(git.dir, FILE)) ?? "";
  const known = new Set(text.split(/\r?\n/));
  const missing = [...new Set(rules)].filter((rule) => !known.has(rule));
  if (missing.length === 0) return;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const heading = known.has(HEADING) ? "" : `${HEADING}\n`;
  writeFileAtomic(join(git.dir, FILE), `${start}${heading}${missing.join("\n")}\n`, SHARED_FILE);
  if (tracked) await git.need(["update-index", "--skip-worktree", "--", FILE]);
}

async function isTracked(git: Git): Promise<boolean> {
  return (await git.run(["ls-files", "--error-unmatch", "--", FILE])).code === 0;
}

/** Those that neither a commit has nor git ignores; a file need not be there. */
async function notIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  const tracked = new Set((await git.need(["ls-files", "-z", "--", RALPH_DIR])).split("\0"));
  const asked = paths.filter((path) => !tracked.has(path));
  if (asked.length === 0) return [];
  // It ends with 1 if it ignores none of them.
  const said = await git.run(["check-ignore", "-z", "--stdin"], { input: `${asked.join("\0")}\0` });
  const ignoredPaths = new Set(said.stdout.split("\0"));
  return asked.filter((path) => !ignoredPaths.has(path));
}
