/** Makes a worktree in steps that a kill may part: each is recorded, and what is left of one is made again or gone on with. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { reasonOf, toUserError } from "../../core/system-error.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { diskFull } from "../files/disk-full.ts";
import { keepOutIfUntracked } from "../fleet/keep-out.ts";
import { checkoutOf, forgetCheckout, holderOf } from "../git/checkouts.ts";
import { createGit, FILES_TIMEOUT_MS, gitSaid } from "../git/git-program.ts";
import { dirtySubmodules } from "../git/submodules.ts";
import { homeFolder } from "../user/home.ts";
import { rememberProject } from "../user/project-list.ts";
import { belowPrefix, bringAlong } from "./bring-along.ts";
import { withGitLock } from "./git-lock.ts";
import { copyIncluded } from "./include.ts";
import { endLeftMakers, makerMark } from "./leftovers.ts";
import { checkName, freeName } from "./name.ts";
import { lockName, mustLockName } from "./name-lock.ts";
import { planTasks } from "./plan-ticks.ts";
import { claimPorts, freePorts } from "./ports.ts";
import {
  forget,
  isCheckout,
  mustHoldWorktrees,
  readRecord,
  recordFile,
  rootOf,
  tidyWorktrees,
  type WorktreeRecord,
  writeRecord,
} from "./record.ts";
import { finishRemoval } from "./remove.ts";
import { branchTip, commitOf, currentBranch, type ProjectGit, projectGit } from "./repository.ts";
import { setUp } from "./set-up.ts";
import { type OpenOptions, ownerOf, type Worktree, worktreeOf } from "./worktrees.ts";

/**
 * Makes a worktree, or finds the one of that name as it was left. What a kill left of one is completed.
 * @throws RalphError `usage` for a bad name, `environment` if it cannot be made (nothing is left then) or its set-up fails (it stays, and the
 * next call tries again); the signal's reason once that aborts
 */
export async function openWorktree(options: OpenOptions): Promise<Worktree> {
  const { project, name, env } = options;
  if (name !== null) checkName(name);
  if (ownerOf(project) !== project)
    throw new RalphError("environment", `${project} is a worktree itself, and worktrees have none.`, {
      hint: `Start from its project: ralph run --worktree -C ${typedWord(ownerOf(project))}`,
    });
  mustHoldWorktrees(project);
  const place = await projectGit(project, env, options.signal);
  return name === null ? openNew(place, options) : openNamed(name, place, options);
}

function isTaken(project: string, name: string): boolean {
  return (
    ["json", "lock"].some((ending) => existsSync(recordFile(project, name, ending))) ||
    existsSync(rootOf(project, name))
  );
}

async function branchNames({ git }: ProjectGit): Promise<Set<string>> {
  const names = await git.need(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/ralph"]);
  return new Set(names.split("\n"));
}

async function openNew(place: ProjectGit, options: OpenOptions): Promise<Worktree> {
  const { project } = options;
  for (const tried = new Set<string>(); ; ) {
    const branches = await branchNames(place);
    const name = freeName((one) => tried.has(one) || isTaken(project, one) || branches.has(`ralph/${one}`));
    tried.add(name);
    // Another ralph may have found the same name free; then the next one is ours.
    const planned = await plan(name, place, options).catch(async (error) => {
      if ((await branchNames(place)).has(`ralph/${name}`)) return null;
      throw error;
    });
    if (planned === null) continue;
    const lock = lockName(project, name);
    if (lock.held && readRecord(project, name) === null) return complete(planned, place, options, lock.release);
    if (lock.held) lock.release();
  }
}

async function openNamed(name: string, place: ProjectGit, options: OpenOptions): Promise<Worktree> {
  const { project } = options;
  const known = readRecord(project, name);
  if (known?.state === "ready" && isCheckout(rootOf(project, name), name)) return worktreeOf(project, known);
  const planned = known ?? (await plan(name, place, options));
  const release = mustLockName(project, name);
  // Whoever held the lock before may have made it, or removed it.
  const now = readRecord(project, name);
  if (now === null && known !== null) {
    release();
    return openNamed(name, place, options);
  }
  return complete(now ?? planned, place, options, release);
}

async function complete(
  known: Plan | WorktreeRecord,
  place: ProjectGit,
  options: OpenOptions,
  release: () => void,
): Promise<Worktree> {
  const { project } = options;
  const root = rootOf(project, known.name);
  try {
    options.signal.throwIfAborted();
    if (known.state === "ready" && "port_base" in known && isCheckout(root, known.name))
      return worktreeOf(project, known);
    if ("port_base" in known) await endLeftMakers(root);
    const made = await make(known, place, options);
    await setUp(made, options);
    const ready = { ...made, state: "ready" } as const;
    writeRecord(project, ready);
    return worktreeOf(project, ready);
  } catch (error) {
    throw diskFull(root, error) ?? toUserError(error) ?? error;
  } finally {
    release();
    tidyWorktrees(project);
  }
}

type Plan = Omit<WorktreeRecord, "port_base">;

/** What is to be made. @throws RalphError `environment` if something stands in the way; nothing was changed then */
async function plan(name: string, { git, prefix }: ProjectGit, options: OpenOptions): Promise<Plan> {
  const { project, branch = `ralph/${name}`, base: from } = options;
  const root = rootOf(project, name);
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (stat !== undefined && !(stat.isDirectory() && readdirSync(root).length === 0))
    throw new RalphError("environment", `${root} is in the way: ralph did not make it.`, {
      hint: "Move it away, or take another name.",
    });
  const { code } = await git.run(["check-ref-format", "--branch", branch]);
  if (code !== 0) throw new RalphError("usage", `git takes no branch of the name ${JSON.stringify(branch)}.`);
  const base = await commitOf(git, from ?? "HEAD");
  if (base === null && from !== undefined)
    throw new RalphError("environment", `There is no commit ${JSON.stringify(from)} to begin from.`);
  if (base === null)
    throw new RalphError("environment", "A worktree begins from a commit, and this repository has none yet.", {
      hint: "Make the first: git add -A && git commit -m first",
    });
  const exists = (await branchTip(git, branch)) !== null;
  if (exists && options.branch === undefined)
    throw new RalphError("environment", `The branch ${branch} exists already.`, {
      hint: `See what is on it: git log ${typedWord(branch)}. To keep it out of the way: git branch -m ${typedWord(branch)} NEW-NAME`,
    });
  const holder = exists ? await checkoutOf(git, branch) : null;
  if (holder !== null)
    throw new RalphError("environment", `The branch ${branch} is checked out in ${holder}.`, {
      hint: "Take another branch, or work there.",
    });
  const [dirty] = existsSync(join(git.dir, ".gitmodules")) ? await dirtySubmodules(git) : [];
  if (dirty !== undefined)
    throw new RalphError("environment", `The submodule ${dirty} holds changes that a worktree would begin without.`, {
      hint: `Commit them there, and commit the submodule here: git -C ${typedWord(dirty)} status`,
    });
  return {
    name,
    state: "making",
    branch,
    own_branch: !exists,
    base,
    from: await currentBranch(git),
    prefix,
    brought: [],
  };
}

/** Brings a worktree to the state `made`. */
async function make(known: Plan | WorktreeRecord, place: ProjectGit, options: OpenOptions): Promise<WorktreeRecord> {
  const { project, env, signal } = options;
  const root = rootOf(project, known.name);
  if (known.state === "removing" && "port_base" in known) {
    await finishRemoval(project, known, place, env);
    return make(await plan(known.name, place, options), place, options);
  }
  if (known.state !== "making" && "port_base" in known && isCheckout(root, known.name)) return known;
  const user = { platform: process.platform, env, home: homeFolder(env) };
  const record: WorktreeRecord = { ...known, state: "making", port_base: await claimPorts(root, user) };
  // Whatever a kill leaves of it, `ralph ps` shows.
  remember(project, user, options);
  writeRecord(project, record);
  try {
    // What a kill left of it, where nobody has worked yet; or what git knows of one that was deleted by hand.
    await withGitLock(place.commonDir, signal, async () => {
      await clear(record, place, root);
      await addToGit(record, place, { root, signal });
    });
    signal.throwIfAborted();
    const along = { project, root, prefix: record.prefix, files: options.files ?? [], stop: signal };
    const brought = await bringAlong(along, env);
    await keepOutIfUntracked(createGit(join(root, record.prefix), env, signal), belowPrefix(brought, record.prefix));
    await copyIncluded({ root, say: options.say, signal }, place);
    const ticked = planTasks(join(root, record.prefix)).flatMap(({ id, done }) => (done ? id : []));
    const made = { ...record, state: "made", brought, ticked } as const;
    writeRecord(project, made);
    announce(made, place, options);
    remember(join(root, record.prefix), user, options);
    return made;
  } catch (error) {
    await unmake(project, { record, before: known.state }, place, env, error);
    throw signal.aborted ? signal.reason : error;
  }
}

async function addToGit(
  { name, branch, base }: WorktreeRecord,
  { git }: ProjectGit,
  { root, signal }: { root: string; signal: AbortSignal },
): Promise<void> {
  const exists = (await branchTip(git, branch)) !== null;
  const holder = exists ? await holderOf(git, branch) : null;
  if (holder !== null)
    throw new RalphError("environment", `The branch ${branch} is checked out in ${holder}.`, {
      hint: "Work there, or check out another branch there first.",
    });
  const how = exists ? [root, branch] : ["-b", branch, "--no-track", root, base];
  const added = await git.run(["-c", "submodule.recurse=false", "worktree", "add", "--quiet", ...how], {
    timeoutMs: FILES_TIMEOUT_MS,
    signal,
    env: { RALPH_RUN: makerMark(root) },
  });
  if (added.code === 0) return;
  throw new RalphError("environment", `git cannot make the worktree ${name}: ${gitSaid(added)}`, {
    hint: `${exists ? "Its branch is as it was" : "Nothing of it is left"}. Mend that, and run ralph again.`,
  });
}

function announce({ name, branch, from, base }: WorktreeRecord, { root }: ProjectGit, { say }: OpenOptions): void {
  say(`Worktree ${name}: branch ${branch}, from ${from ?? base.slice(0, 10)}`);
  if (existsSync(join(root, ".gitmodules")))
    say("Its submodules are empty. To have them there: WORKTREE_SETUP='git submodule update --init --recursive'");
}

/** For `ralph ps` and `-C`. */
function remember(project: string, user: Parameters<typeof rememberProject>[1], { say }: OpenOptions): void {
  try {
    rememberProject(project, user);
  } catch (error) {
    say(`\`ralph ps\` will not list it: ${reasonOf(error)}`);
  }
}

/** Takes back what was made of a worktree in which nobody has worked. */
async function clear({ state, base, own_branch, branch }: WorktreeRecord, { git }: ProjectGit, root: string) {
  if (state !== "making") return;
  await rm(root, { recursive: true, force: true });
  await forgetCheckout(git, root);
  // A branch that moved on is somebody's.
  if (own_branch && (await branchTip(git, branch)) === base)
    await git.run(["update-ref", "-d", `refs/heads/${branch}`, base]);
}

/** After a failure: nothing stays of it but a branch with work, and what is known of that, or it is named. */
async function unmake(
  project: string,
  { record, before }: { record: WorktreeRecord; before: WorktreeRecord["state"] },
  place: ProjectGit,
  env: EnvVars,
  cause: unknown,
): Promise<void> {
  const root = rootOf(project, record.name);
  try {
    await withGitLock(place.commonDir, new AbortController().signal, () => clear(record, place, root));
    // Forgotten, the branch would be in the way of the worktree that it is of.
    if (record.own_branch && (await branchTip(place.git, record.branch)) !== null)
      return writeRecord(project, { ...record, state: before });
    freePorts(root, { platform: process.platform, env, home: homeFolder(env) });
    forget(project, record.name);
  } catch (error) {
    throw new RalphError(
      "environment",
      `The worktree ${root} could not be made, and not taken away: ${reasonOf(error)}`,
      {
        hint: `Once that is mended: ralph worktrees remove ${record.name}`,
        cause,
      },
    );
  }
}
