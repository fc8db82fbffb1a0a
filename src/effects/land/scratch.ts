/** The checkout in which branches are put together and tested. It is ours alone: thrown away at the end, made anew at the start. */
import { lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { landMessage } from "../../core/land/messages.ts";
import type { LandTask } from "../../core/land/tick.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import type { TaskFile } from "../fleet/task-file.ts";
import { forgetCheckout } from "../git/checkouts.ts";
import { COMMIT_TIMEOUT_MS } from "../git/commit-all.ts";
import { createGit, FILES_TIMEOUT_MS, type Git, gitError, needOf } from "../git/git-program.ts";
import { identityArgs } from "../git/identity.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import type { ChangedText, LandBranch, PutBranch } from "../ports.ts";
import { endLeftMakers, makerMark } from "../worktrees/leftovers.ts";
import { mustHoldWorktrees } from "../worktrees/record.ts";
import { conflictSides } from "./conflict.ts";
import type { LandPlace } from "./place.ts";
import { checkOutSubmodules, needSubmodules } from "./submodules.ts";

const NAME = join(".ralph", "worktrees", ".land");

export type Scratch = {
  open(base: string, signal: AbortSignal): Promise<void>;
  put(branch: LandBranch, below: string): Promise<PutBranch>;
  checkOut(commit: string): Promise<string>;
  changes(commit: string, wanted: (path: string) => boolean): Promise<ChangedText[]>;
  lay(files: ReadonlyMap<string, string | null>): void;
  /** The project's folder in it. */
  dir: string;
  close(): Promise<void>;
};

/** @param plan the list with the tasks; null without one */
export function createScratch(place: LandPlace, plan: TaskFile | null): Scratch {
  const { git: owner, project, prefix, env, stop: stopOfAll } = place;
  const root = join(project, NAME);
  const dir = join(root, prefix);
  let stop = new AbortController().signal;
  // A git that a killed ralph left would write into the checkout that is made anew.
  const mark = { RALPH_RUN: makerMark(root) };
  const git = stoppable(createGit(root, { ...env, ...mark }, stopOfAll), () => stop);
  const planPath = plan === null ? null : prefix === "" ? plan.path : `${prefix}/${plan.path}`;
  /** To what the project ignores. */
  let links: string[] = [];
  const clean = async () => {
    // Not every git knows the links of Windows for what they are.
    for (const link of links.splice(0)) rmSync(link, { force: true });
    // Twice forced: a gate may have made repositories of its own.
    await git.need(["clean", "-ffdxq"], { timeoutMs: FILES_TIMEOUT_MS });
  };
  const reset = async (commit: string) => {
    await git.need(["checkout", "--quiet", "--force", "--detach", commit], { timeoutMs: FILES_TIMEOUT_MS });
  };
  return {
    dir,
    async open(base, signal) {
      stop = signal;
      await endLeftMakers(root);
      await remove(owner, project);
      mkdirSync(dirname(root), { recursive: true });
      writeFileAtomic(join(dirname(root), ".gitignore"), "*\n");
      const args = ["worktree", "add", "--quiet", "--force", "--force", "--detach", root, base];
      const made = await owner.run(args, { timeoutMs: FILES_TIMEOUT_MS, signal, env: mark });
      if (made.code === 0) return;
      await remove(owner, project);
      throw gitError(args, made);
    },
    async put(branch, below) {
      await reset(below);
      let put: PutBranch | null = null;
      try {
        put = await putOn(branch, below);
        return put;
      } finally {
        // Files that it left would be in the way of the next.
        if (put === null || put.kind === "conflict") {
          await reset(below);
          await clean();
        }
      }
    },
    async checkOut(commit) {
      await reset(commit);
      await clean();
      await checkOutSubmodules(git);
      links = await linkIgnored(owner, project, dir);
      return dir;
    },
    changes: (commit, wanted) => changesOf(createGit(dir, env, stopOfAll), commit, wanted),
    lay(files) {
      for (const [path, text] of files) layFile(root, prefix === "" ? path : `${prefix}/${path}`, text);
    },
    close: () => remove(owner, project),
  };

  async function putOn(branch: LandBranch, below: string): Promise<PutBranch> {
    if (await isAncestor(git, branch.commit, below)) return tickOnly(git, branch, below);
    const identity = await identityArgs(git);
    const merged = await merge(git, identity, branch);
    const unmerged = await unmergedPaths(git);
    if (branch.task !== null) await keep(branch.task, below);
    const paths = unmerged.filter((path) => branch.task === null || path !== planPath);
    if (paths.length > 0 || merged.said !== null) {
      const sides = await conflictSides(git, { branch, below, paths, said: paths.length > 0 ? null : merged.said });
      return { kind: "conflict", sides };
    }
    const made = await commit(git, identity, landMessage(branch.name, branch.task));
    await needSubmodules(git, below, place);
    return { kind: "merged", commit: made };
  }

  async function keep(task: LandTask, below: string): Promise<boolean> {
    if (plan === null || planPath === null) return false;
    return keepPlan(git, planPath, (text) => plan.read(text).withDone(task), below);
  }

  /** All of its work is there; at most its box is still open. */
  async function tickOnly(git: Git, { name, task }: LandBranch, below: string): Promise<PutBranch> {
    if (task === null || !(await keep(task, below))) return { kind: "there" };
    return { kind: "merged", commit: await commit(git, await identityArgs(git), landMessage(name, task)) };
  }
}

/** A filter or a signature may take long, and so may a merge: a stop ends git at once. */
function stoppable({ dir, run }: Git, signal: () => AbortSignal): Git {
  const stopped: Git["run"] = (args, options) => run(args, { signal: signal(), ...options });
  return { dir, run: stopped, need: needOf(stopped) };
}

/** @returns what git said against it, beside conflicts; null otherwise */
async function merge(git: Git, identity: readonly string[], { commit }: LandBranch): Promise<{ said: string | null }> {
  const args = ["merge", "--quiet", "--no-ff", "--no-commit", "--no-stat", "--no-autostash", commit];
  const settings = [...identity, "-c", "rerere.enabled=false"];
  const merged = await git.run([...settings, ...args], { timeoutMs: FILES_TIMEOUT_MS });
  if (merged.code === 0 || (await unmergedPaths(git)).length > 0) return { said: null };
  if (!/unrelated histories/.test(merged.stderr)) throw gitError(args, merged);
  if ((await git.need(["rev-parse", "--is-shallow-repository"])) === "true")
    throw new RalphError(
      "environment",
      "This clone is shallow, and lacks what the branch and the target have in common.",
      { hint: "Get the history, and land again: git fetch --unshallow" },
    );
  return { said: "the branch has no commit in common with the target" };
}

async function unmergedPaths(git: Git): Promise<string[]> {
  const listed = await git.need(["diff", "--name-only", "--diff-filter=U", "-z"]);
  return listed.split("\0").filter((path) => path !== "");
}

/**
 * Takes the list of tasks from what is below, with the task marked as done: a branch has only its own task in it.
 * @param marked null if nothing is to be marked
 * @returns whether that changes it
 */
async function keepPlan(
  git: Git,
  path: string,
  marked: (text: string) => string | null,
  below: string,
): Promise<boolean> {
  const entry = await git.need(["ls-tree", "-z", below, "--", path]);
  const [, mode, id] = /^(\d+) blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  if (mode === undefined || id === undefined) {
    await git.need(["update-index", "--force-remove", "--", path]);
    return false;
  }
  const { stdout } = await git.run(["cat-file", "blob", id], { exact: true });
  const ticked = marked(stdout);
  const now = ticked === null ? id : await git.need(["hash-object", "-w", "--stdin"], { input: ticked });
  await git.need(["update-index", "--add", "--cacheinfo", `${mode},${now},${path}`]);
  return now !== id;
}

async function commit(git: Git, identity: readonly string[], message: string): Promise<string> {
  const args = [...identity, "commit", "--quiet", "--no-verify", "--allow-empty"];
  await git.need([...args, "--cleanup=verbatim", "--file=-"], { input: message, timeoutMs: COMMIT_TIMEOUT_MS });
  return git.need(["rev-parse", "--verify", "HEAD"]);
}

/** Links what git ignores in the project, such as installed dependencies, so that gates can run. @returns the links */
async function linkIgnored(owner: Git, project: string, dir: string): Promise<string[]> {
  const links: string[] = [];
  const args = ["-C", project, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const listed = await owner.need(args);
  for (const entry of listed.split("\0")) {
    const path = entry.replace(/\/$/, "");
    if (path === "" || path === ".ralph" || path.startsWith(".ralph/")) continue;
    const to = join(dir, path);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(dirname(to), { recursive: true });
    links.push(to);
    // Windows lets anyone link folders, but files only with a privilege.
    const isFolder = entry.endsWith("/");
    if (process.platform !== "win32") symlinkSync(join(project, path), to);
    else if (isFolder) symlinkSync(join(project, path), to, "junction");
  }
  return links;
}

/**
 * Gives a file of the checkout this text; null: it goes. Where a branch has a link in place of a folder, the folder takes its place: what a
 * link leads to is somebody's.
 */
function layFile(root: string, path: string, text: string | null): void {
  for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1)) {
    const folder = join(root, path.slice(0, cut));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    if (text === null) return;
    rmSync(folder, { force: true });
    mkdirSync(folder);
  }
  const file = join(root, path);
  rmSync(file, { force: true, recursive: true });
  if (text !== null) writeFileSync(file, text);
}

async function changesOf(git: Git, commit: string, wanted: (path: string) => boolean): Promise<ChangedText[]> {
  const base = `${commit}^1`;
  const args = ["diff", "--relative", "--no-renames", "--name-only", "--no-ext-diff", "-z", base, commit];
  const listed = await git.need(args);
  const paths = listed.split("\0").filter((path) => path !== "" && wanted(path));
  const changes: ChangedText[] = [];
  for (const path of paths)
    changes.push({ path, before: await textAt(git, base, path), after: await textAt(git, commit, path) });
  return changes;
}

async function textAt(git: Git, commit: string, path: string): Promise<string | null> {
  const { code, stdout } = await git.run(["show", "--no-textconv", `${commit}:./${path}`]);
  return code === 0 ? stdout : null;
}

/** Removes the checkout and what the repository knows of it, whatever state a kill left it in. @throws RalphError `environment` where a link leads there */
async function remove(owner: Git, project: string): Promise<void> {
  mustHoldWorktrees(project);
  const root = join(project, NAME);
  rmSync(root, { recursive: true, force: true });
  await forgetCheckout(owner, root);
}
