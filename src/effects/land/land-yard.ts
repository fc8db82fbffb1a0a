/** Everything that `ralph land` does with git: the queue, the scratch checkout, the target. */

import { join } from "node:path";
import type { TaskClaim } from "../../core/fleet/claim.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { fileBehind } from "../files/file-behind.ts";
import { readRegularText } from "../files/regular-file.ts";
import { type ClaimStore, claimFolder, createClaimStore, type HeldClaim } from "../fleet/claims.ts";
import { queueName } from "../fleet/queue.ts";
import { type TaskFileSettings, taskFile } from "../fleet/task-file.ts";
import { checkoutOf } from "../git/checkouts.ts";
import { isAncestor } from "../git/is-ancestor.ts";
import type { CarriedTicks, LandBranch, LandYard, LeftBranch } from "../ports.ts";
import { readOptional } from "../project/project-paths.ts";
import { carryTicks } from "../worktrees/plan-ticks.ts";
import { commonDir, openPlace, type PlaceOptions, takeRefs } from "./place.ts";
import { tickOnDisk } from "./plan.ts";
import { createScratch } from "./scratch.ts";
import { type DeletedRef, moveTarget, targetTip } from "./target.ts";

/** Of work that has a branch. */
type WorkClaim = Exclude<TaskClaim, { state: "claimed" }> & { branch: string };

/** So often work comes back before a person is asked. */
const MOST_TRIES = 3;

export type YardOptions = PlaceOptions & {
  /** The queue. Default: that of the hub. */
  claims?: ClaimStore;
  /** Where its tasks are. */
  settings: TaskFileSettings;
};

/** @throws RalphError `environment` without a repository, git, a commit, or the target's branch */
export async function openLandYard(options: YardOptions): Promise<LandYard> {
  const place = await openPlace(options);
  await targetTip(place);
  const { git, project, hub, target } = place;
  const queue = queueName(place);
  const claims = options.claims ?? createClaimStore(git, hub ?? (await commonDir(git)), queue);
  const plan = taskFile(queue, project, options.settings);
  const planFile = plan === null ? null : join(project, plan.path);
  const scratch = createScratch(place, plan);
  /** Claims of the branches, by name, as they were found. */
  const held = new Map<string, HeldClaim & { claim: WorkClaim }>();

  /** What was handed in; what came back only if a person names its branch. */
  const readClaims = async (named: readonly string[] | null) => {
    held.clear();
    for (const [, { id, claim }] of await claims.list()) {
      if (claim.state === "claimed" || claim.branch === null) continue;
      const { branch } = claim;
      if (claim.state === "handed_in" || named?.includes(branch)) held.set(branch, { id, claim: { ...claim, branch } });
    }
  };

  /** What a remote deletes together with the landing. */
  const goneRefs = (branches: readonly LandBranch[]): DeletedRef[] =>
    branches.flatMap((branch) => {
      const claim = held.get(branch.name);
      if (claim === undefined) return [];
      return [
        { ref: `${claimFolder(queue)}/${claim.claim.task}`, commit: claim.id },
        { ref: `refs/heads/${branch.name}`, commit: branch.commit },
      ];
    });

  return {
    target,
    tip: () => targetTip(place),
    isIn: (commit, other) => isAncestor(git, commit, other),
    async candidates(asked) {
      const named = asked?.map((name) => name.replace(/^refs\/heads\//, "")) ?? null;
      await readClaims(named);
      const listed = plan === null ? null : readOptional(planFile);
      const order = listed === null ? [] : (plan?.read(listed).graph.tasks.map(({ id }) => id) ?? []);
      const rank = ({ claim }: { claim: WorkClaim }) =>
        order.includes(claim.task) ? order.indexOf(claim.task) : order.length;
      const inOrder = [...held.values()].sort((a, b) => rank(a) - rank(b));
      return readBranches(named ?? inOrder.map(({ claim }) => claim.branch));
    },
    open: scratch.open,
    put: scratch.put,
    checkOut: scratch.checkOut,
    changes: scratch.changes,
    read(path) {
      try {
        return readRegularText(join(scratch.dir, path));
      } catch {
        return null; // gone, a folder or unreadable: absence is a value here
      }
    },
    leadsTo: (path) => fileBehind(scratch.dir, path),
    lay: scratch.lay,
    move(from, to, branches) {
      const ticked = plan === null ? null : { path: fromRoot(plan.path), read: plan.read };
      return moveTarget(place, { from, to, gone: goneRefs(branches), plan: ticked });
    },
    async settle(branches) {
      const tasks = branches.flatMap(({ task }) => (task === null ? [] : [task]));
      if (planFile !== null && plan !== null && tasks.length > 0 && !(await isTracked(plan.path)))
        tickOnDisk(planFile, plan, tasks);
      for (const branch of branches) await takeOut(branch);
      const carried: CarriedTicks[] = [];
      for (const { name, commit, task } of branches) {
        const own = { branch: name, landed: commit, env: place.env };
        const ticks = task === null ? await carryTicks(project, own) : null;
        if (ticks !== null) carried.push(ticks);
      }
      return carried;
    },
    async giveBack(branch, why, message) {
      const found = held.get(branch.name);
      if (found === undefined) return "kept";
      const { task, text, worker, tries } = found.claim;
      const back = { task, text, worker, branch: branch.name, tries: tries + 1 };
      const isTooOften = back.tries >= MOST_TRIES;
      const next: TaskClaim = isTooOften
        ? { ...back, state: "parked", why: `Its work came back ${back.tries} times. ${message}` }
        : { ...back, state: "returned", why, message };
      if ((await claims.swap(task, found.id, next)) === null) return "gone";
      return isTooOften ? "parked" : "returned";
    },
    touchesProject: async () => hub === null && (await checkoutOf(git, target)) !== null,
    close: scratch.close,
  };

  async function readBranches(names: readonly string[]): Promise<{ branches: LandBranch[]; without: LeftBranch[] }> {
    const refs = await takeRefs(
      place,
      names.map((name) => `refs/heads/${name}`),
    );
    const branches: LandBranch[] = [];
    const without: LeftBranch[] = [];
    for (const name of new Set(names)) {
      const commit = refs.get(`refs/heads/${name}`);
      const claim = held.get(name)?.claim;
      if (name === target) without.push({ name, why: "it is the branch to land on" });
      else if (commit === undefined && claim?.state === "handed_in") without.push({ name, why: goneBranch(claim) });
      else if (commit === undefined)
        without.push({ name, why: hub === null ? "there is no such branch" : `there is no such branch in ${hub}` });
      else if (claim?.state === "handed_in" && claim.commit !== commit)
        without.push({ name, why: "it was changed after it had been handed in" });
      else branches.push({ name, commit, task: claim === undefined ? null : { id: claim.task, text: claim.text } });
    }
    return { branches, without };
  }

  /** Nobody takes its task up as long as it has this claim. */
  function goneBranch({ branch, commit, task }: Extract<WorkClaim, { state: "handed_in" }>): string {
    const claim = `${claimFolder(queue)}/${task}`;
    const [back, anew] =
      hub === null
        ? [
            ["git", "branch", branch, commit],
            ["git", "update-ref", "-d", claim],
          ]
        : [
            ["git", "push", hub, `${commit}:refs/heads/${branch}`],
            ["git", "push", hub, `:${claim}`],
          ];
    const typed = (words: readonly string[]) => words.map(typedWord).join(" ");
    return `its branch was deleted. Bring it back with: ${typed(back)}. To have its task done anew: ${typed(anew)}`;
  }

  async function isTracked(path: string): Promise<boolean> {
    const tip = await targetTip(place);
    return (await git.run(["cat-file", "-e", `${tip}:${fromRoot(path)}`])).code === 0;
  }

  function fromRoot(path: string): string {
    return place.prefix === "" ? path : `${place.prefix}/${path}`;
  }

  async function takeOut({ name, commit, task }: LandBranch): Promise<void> {
    if (task === null) return;
    const claim = held.get(name);
    // A kill may have come between its claim and its branch.
    if (claim !== undefined && (await claims.swap(task.id, claim.id, null)) === null) return;
    held.delete(name);
    if (hub !== null) {
      // The push of the target has deleted it, unless its work was on the target already.
      await git.run([
        "push",
        "--quiet",
        "--no-verify",
        `--force-with-lease=refs/heads/${name}:${commit}`,
        "--",
        hub,
        `:refs/heads/${name}`,
      ]);
      return;
    }
    // A worker's checkout would stand on nothing.
    if ((await checkoutOf(git, name)) === null) await git.run(["update-ref", "-d", `refs/heads/${name}`, commit]);
  }
}
