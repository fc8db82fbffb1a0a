/** Moves the branch that landed work goes to, if it is still where it was. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { MissingTargetError } from "../../core/land/missing-target.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import type { TaskFile } from "../fleet/task-file.ts";
import { checkoutOf, checkouts, holderOf } from "../git/checkouts.ts";
import {
  createGit,
  FILES_TIMEOUT_MS,
  type Git,
  gitSaid,
  TRANSFER_TIMEOUT_MS,
  WRITES_AFTER_STOP_MS,
} from "../git/git-program.ts";
import { uploadLfs } from "../git/lfs.ts";
import { readText } from "../git/read.ts";
import type { TargetMove } from "../ports.ts";
import { withGitLock } from "../worktrees/git-lock.ts";
import { commonDir, hubRefs, type LandPlace, takeRefs } from "./place.ts";
import { layUnderTicks } from "./plan.ts";

/** A ref of the hub that goes with the landing, if it is still this commit. */
export type DeletedRef = { ref: string; commit: string };

/** @throws MissingTargetError if there is no such branch, or it has no commit yet */
export async function targetTip(place: LandPlace): Promise<string> {
  const { target, hub } = place;
  const ref = `refs/heads/${target}`;
  const tip = (await takeRefs(place, [ref])).get(ref);
  if (tip !== undefined) return tip;
  const unborn = hub === null && (await isUnborn(place));
  throw new MissingTargetError(
    "environment",
    unborn
      ? `The branch ${target} has no commit yet, so nothing can be landed on it.`
      : `There is no branch ${target}${hub === null ? "" : ` in ${hub}`} to land on.`,
    { hint: unborn ? "Make one: git commit --allow-empty -m first" : "Name an existing one with --onto BRANCH." },
  );
}

async function isUnborn({ git, target }: LandPlace): Promise<boolean> {
  const { stdout } = await git.run(["symbolic-ref", "--quiet", "HEAD"]);
  return stdout.trim() === `refs/heads/${target}`;
}

type Move = {
  from: string;
  to: string;
  /** What a remote deletes in the same step. */
  gone: readonly DeletedRef[];
  /** The list of tasks, from the root; null without one. */
  plan: Pick<TaskFile, "path" | "read"> | null;
};

/**
 * Moves the target from `from` to exactly `to`. What a person has not committed stays as it is: where it is in the way, nothing is
 * changed.
 */
export async function moveTarget(place: LandPlace, move: Move): Promise<TargetMove> {
  const { from, to } = move;
  const result = place.hub === null ? await moveHere(place, move) : await push(place, place.hub, move);
  if (result === null) return withBehind(place, from, to);
  const now = (await hubRefs(place, [`refs/heads/${place.target}`])).get(`refs/heads/${place.target}`) ?? "";
  if (now === to) return { kind: "done" };
  return now === from ? { kind: "refused", why: result } : { kind: "moved" };
}

/** As after a merge by hand, a person's submodules do not follow. */
async function withBehind(place: LandPlace, from: string, to: string): Promise<TargetMove> {
  const { git, hub, target, project, env, stop } = place;
  const checkout = hub === null ? await checkoutOf(git, target) : null;
  if (checkout === null) return { kind: "done" };
  const fields = (await git.run(["diff-tree", "-r", "-z", "--no-renames", from, to])).stdout.split("\0");
  const paths: string[] = [];
  for (const [at, field] of fields.entries()) {
    const [, old] = /^:160000 160000 ([0-9a-f]+) /.exec(field) ?? [];
    const path = fields[at + 1] ?? "";
    if (old === undefined || !existsSync(join(checkout, path, ".git"))) continue;
    if ((await headOf(createGit(join(checkout, path), env, stop))) === old) paths.push(path);
  }
  if (paths.length === 0) return { kind: "done" };
  const where = checkout === project ? [] : ["-C", checkout];
  const command = ["git", ...where, "submodule", "update", "--", ...paths].map(typedWord).join(" ");
  return { kind: "done", behind: { paths, command } };
}

/** @returns what stands against it; null if it was moved */
async function moveHere({ git, target, env, stop }: LandPlace, move: Move): Promise<string | null> {
  const checkout = await holderOf(git, target);
  if (checkout !== null && !existsSync(join(checkout, ".git")))
    return `it is checked out in ${checkout}, which is not there`;
  if (checkout === null) {
    const busy = await rebaseOf(git, target, { env, stop });
    if (busy !== null) return `a rebase of it is under way in ${busy}`;
    const moved = await git.run(["update-ref", "-m", "ralph land", `refs/heads/${target}`, move.to, move.from]);
    return moved.code === 0 ? null : gitSaid(moved);
  }
  // A merge writes files before it moves the branch: of two at once, the second would leave its files there uncommitted.
  const alone = new AbortController().signal;
  return withGitLock(await commonDir(git), alone, () =>
    fastForward(createGit(checkout, env, stop, WRITES_AFTER_STOP_MS), move),
  );
}

async function fastForward(git: Git, move: Move): Promise<string | null> {
  const { from, to } = move;
  // It may have been set back meanwhile: a fast-forward would bring back what somebody took away.
  if ((await headOf(git)) !== from) return "it has moved";
  const before = await stagedIn(git);
  // What git ignores is a person's too, and in no checkpoint.
  const args = ["merge", "--ff-only", "--quiet", "--no-stat", "--no-autostash", "--no-overwrite-ignore", to];
  const merge = () => git.run(args, { timeoutMs: FILES_TIMEOUT_MS });
  const first = await merge();
  const takeBack = await giveWay(git, move, { paths: inTheWay(first.stderr), staged: before });
  const merged = takeBack === null ? first : await merge();
  if (merged.code === 0) return null;
  await takeBack?.();
  const paths = inTheWay(merged.stderr);
  if (paths.length > 0) return obstacleWords(paths);
  // git writes the files, and then finds that the branch is locked: what is a person's in them stays, or all stays as it is.
  // Where it did not begin, what is staged is a person's: a merge that they have not concluded has the same files.
  if ((await headOf(git)) === from && (await stagedIn(git)) !== before)
    await git.run(["read-tree", "-m", "-u", to, from], { timeoutMs: FILES_TIMEOUT_MS });
  return gitSaid(merged);
}

/** Files that git would not overwrite, and what `stagedIn` gave: that is a person's. */
type InTheWay = { paths: readonly string[]; staged: string };

/**
 * Has git leave what is in its way as it lies, where that is what lands, as after a power cut midway; and the plan, where it has nothing but
 * ticks more (of a run, or of an earlier landing): it gets what lands before the branch moves, so that a kill loses none of them.
 * @returns what takes that back; null where something is in the way all the same
 */
async function giveWay(git: Git, { from, to, plan }: Move, { paths, staged }: InTheWay) {
  if (paths.length === 0) return null;
  const listed = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=d", from, to];
  const landing = (await git.run(listed)).stdout.split("\0");
  const own = [...staged.split("\0"), ...(await overlookedIn(git))];
  if (paths.some((path) => own.includes(path) || !landing.includes(path))) return null;
  const isPlan = (path: string) => path === plan?.path;
  const textIn = async (commit: string) =>
    (await git.run(["cat-file", "blob", `${commit}:${plan?.path}`], { exact: true })).stdout;
  const unlay =
    plan !== null && paths.some(isPlan)
      ? layUnderTicks(join(git.dir, plan.path), plan, { from: await textIn(from), to: await textIn(to) })
      : () => {};
  if (unlay === null) return null;
  const input = paths.map((path) => `:(top,literal)${path}`).join("\0");
  const stage = (commit: string) =>
    git.run(["reset", "--quiet", commit, "--pathspec-from-file=-", "--pathspec-file-nul"], { input });
  const takeBack = async () => {
    await stage(from);
    unlay();
  };
  await stage(to);
  const changed = await git.run(["diff", "--name-only", "-z", "--no-ext-diff"]);
  const others = changed.stdout.split("\0").filter((path) => paths.includes(path) && !isPlan(path));
  if (changed.code === 0 && others.length === 0) return takeBack;
  await takeBack();
  return null;
}

async function headOf(git: Git): Promise<string> {
  return (await git.run(["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.trim();
}

async function stagedIn(git: Git): Promise<string> {
  return (await git.run(["diff-index", "--cached", "-z", "HEAD"])).stdout;
}

/** What a person has git overlook (`update-index --assume-unchanged`, `--skip-worktree`): it cannot say how such a file lies there. */
async function overlookedIn(git: Git): Promise<string[]> {
  const { stdout } = await git.run(["ls-files", "-v", "-z"]);
  return stdout.split("\0").flatMap((line) => (line.startsWith("H ") ? [] : [line.slice(2)]));
}

/** git lists the files in lines of their own that begin with a tab. */
function inTheWay(said: string): string[] {
  if (!/would be overwritten by merge/.test(said)) return [];
  return said.split("\n").flatMap((line) => (line.startsWith("\t") ? [line.trim()] : []));
}

function obstacleWords(paths: readonly string[]): string {
  return `these files are not committed, and would be overwritten: ${firstNames(paths, 5)}`;
}

/**
 * The folder in which a rebase of the branch is under way: its checkout is detached meanwhile, and `git rebase --abort` sets the branch back
 * to where it was. Null if there is none.
 */
async function rebaseOf(
  git: Git,
  branch: string,
  { env, stop }: Pick<LandPlace, "env" | "stop">,
): Promise<string | null> {
  for (const { folder, at } of await checkouts(git)) {
    if (at !== "detached" || !existsSync(folder)) continue;
    const names = ["rebase-merge/head-name", "rebase-apply/head-name"].flatMap((path) => ["--git-path", path]);
    const paths = (await createGit(folder, env, stop).need(["rev-parse", ...names])).split("\n");
    if (paths.some((path) => readText(resolve(folder, path))?.trim() === `refs/heads/${branch}`)) return folder;
  }
  return null;
}

async function push({ git, target }: LandPlace, hub: string, { from, to, gone }: Move): Promise<string | null> {
  const refused = await uploadLfs(git, hub, to);
  if (refused !== null) return refused;
  const ref = `refs/heads/${target}`;
  const leases = [{ ref, commit: from }, ...gone].map((one) => `--force-with-lease=${one.ref}:${one.commit}`);
  const refs = [`${to}:${ref}`, ...gone.map((one) => `:${one.ref}`)];
  const pushed = await git.run(["push", "--quiet", "--atomic", "--no-verify", ...leases, "--", hub, ...refs], {
    timeoutMs: TRANSFER_TIMEOUT_MS,
  });
  return pushed.code === 0 ? null : gitSaid(pushed);
}
