/** Moves the branch that landed work goes to, if it is still where it was. */
import { RalphError } from "../../core/errors.ts";
import { createGit, type Git, gitSaid } from "../git/git-program.ts";
import type { TargetMove } from "../ports.ts";
import { withGitLock } from "../worktrees/git-lock.ts";
import { commonDir, fetchRefs, hubRefs, type LandPlace } from "./place.ts";

/** A ref of the hub that goes with the landing, if it is still this commit. */
export type DeletedRef = { ref: string; commit: string };

/** @throws RalphError `environment` if there is no such branch, or it has no commit yet */
export async function targetTip(place: LandPlace): Promise<string> {
  const { target, hub } = place;
  const ref = `refs/heads/${target}`;
  const tip = (await hubRefs(place, [ref])).get(ref);
  if (tip !== undefined) {
    await fetchRefs(place, [ref]);
    return tip;
  }
  const unborn = hub === null && (await isUnborn(place));
  throw new RalphError(
    "environment",
    unborn
      ? `The branch ${target} has no commit yet, so nothing can be landed on it.`
      : `There is no branch ${target}${hub === null ? "" : ` in ${hub}`} to land on.`,
    { hint: unborn ? "Make one: git commit --allow-empty -m first" : "Name an existing one: ralph land --onto BRANCH" },
  );
}

async function isUnborn({ git, target }: LandPlace): Promise<boolean> {
  const { stdout } = await git.run(["symbolic-ref", "--quiet", "HEAD"]);
  return stdout.trim() === `refs/heads/${target}`;
}

/**
 * Moves the target from `from` to exactly `to`. What a person has not committed stays as it is: where it is in the way, nothing is
 * changed.
 * @param gone refs that a remote deletes in the same step
 */
export async function moveTarget(
  place: LandPlace,
  from: string,
  to: string,
  gone: readonly DeletedRef[],
): Promise<TargetMove> {
  const result =
    place.hub === null ? await moveHere(place, from, to) : await push(place, place.hub, { from, to, gone });
  if (result === null) return { kind: "done" };
  const now = (await hubRefs(place, [`refs/heads/${place.target}`])).get(`refs/heads/${place.target}`) ?? "";
  if (now === to) return { kind: "done" };
  return now === from ? { kind: "refused", why: result } : { kind: "moved" };
}

/** @returns what stands against it; null if it was moved */
async function moveHere({ git, target, env }: LandPlace, from: string, to: string): Promise<string | null> {
  const checkout = await checkoutOf(git, target);
  if (checkout === null) {
    const moved = await git.run(["update-ref", "-m", "ralph land", `refs/heads/${target}`, to, from]);
    return moved.code === 0 ? null : gitSaid(moved);
  }
  // A merge writes files before it moves the branch: of two at once, the second would leave its files there uncommitted.
  const alone = new AbortController().signal;
  return withGitLock(await commonDir(git), alone, () => fastForward(createGit(checkout, env), { from, to }));
}

async function fastForward(git: Git, { from, to }: { from: string; to: string }): Promise<string | null> {
  // It may have been set back meanwhile: a fast-forward would bring back what somebody took away.
  const now = await git.run(["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (now.stdout.trim() !== from) return "it has moved";
  const merged = await git.run(["merge", "--ff-only", "--quiet", "--no-stat", "--no-autostash", to], { timeoutMs: 0 });
  return merged.code === 0 ? null : (inTheWay(merged.stderr) ?? gitSaid(merged));
}

/** git lists the files in lines of their own that begin with a tab. */
function inTheWay(said: string): string | null {
  if (!/would be overwritten by merge/.test(said)) return null;
  const paths = said.split("\n").flatMap((line) => (line.startsWith("\t") ? [line.trim()] : []));
  const shown = paths.slice(0, 5).join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return `these files are not committed, and would be overwritten: ${shown}${more}`;
}

/** The checkout that has a branch; null if none has. */
export async function checkoutOf(git: Git, branch: string): Promise<string | null> {
  const listed = await git.need(["worktree", "list", "--porcelain"]);
  let folder: string | null = null;
  for (const line of listed.split("\n")) {
    if (line.startsWith("worktree ")) folder = line.slice("worktree ".length);
    if (line === `branch refs/heads/${branch}`) return folder;
  }
  return null;
}

type Push = { from: string; to: string; gone: readonly DeletedRef[] };

async function push({ git, target }: LandPlace, hub: string, { from, to, gone }: Push): Promise<string | null> {
  const ref = `refs/heads/${target}`;
  const leases = [{ ref, commit: from }, ...gone].map((one) => `--force-with-lease=${one.ref}:${one.commit}`);
  const refs = [`${to}:${ref}`, ...gone.map((one) => `:${one.ref}`)];
  const pushed = await git.run(["push", "--quiet", "--atomic", "--no-verify", ...leases, "--", hub, ...refs], {
    timeoutMs: 0,
  });
  return pushed.code === 0 ? null : gitSaid(pushed);
}
