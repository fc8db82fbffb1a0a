/** The workers of a swarm: worktrees of the project, and a process of ralph in each for each task. */
import { existsSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { ERROR_EXIT_CODES, RalphError } from "../../core/errors.ts";
import { masksOf } from "../../core/secrets/mask.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { lastError } from "../../core/swarm/last-error.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { leftInside } from "../git/commit-all.ts";
import { createGit, type Git, WRITES_AFTER_STOP_MS } from "../git/git-program.ts";
import { sendControl } from "../journal/control-channel.ts";
import { foldNewestRun, foldRuns } from "../journal/journal-fold.ts";
import { readLock } from "../journal/lock.ts";
import type { SwarmWorker, SwarmYard, WorkerProcess } from "../ports.ts";
import { spawnDetached } from "../process/spawn-detached.ts";
import { RALPH_DIR } from "../project/project-paths.ts";
import { belowPrefix } from "../worktrees/bring-along.ts";
import { openWorktree } from "../worktrees/open.ts";
import { pastRunsOf } from "../worktrees/past.ts";
import { readRecord } from "../worktrees/record.ts";
import { commitOf, currentBranch, projectGit } from "../worktrees/repository.ts";
import { listWorktrees } from "../worktrees/worktrees.ts";
import { createClaimStore } from "./claims.ts";
import { type HubPlan, readHubPlan } from "./hub-plan.ts";
import { keepOut } from "./keep-out.ts";
import { ConflictError } from "./left-work.ts";
import { bringAgain, changedFiles, leaveEdits } from "./own-files.ts";
import { queueName } from "./queue.ts";
import { branchOfTask, leaveTaskBranch } from "./task-branch.ts";
import { isWorkerThere } from "./worker-lock.ts";
import { workerName } from "./worker-name.ts";

/** A worker that is suspended is tried again. */
const HEARING_MS = 3000;
/** Files that are told by their names. */
const MOST_NAMED = 3;

export type SwarmPlace = {
  /** Absolute, links resolved. */
  project: string;
  env: EnvVars;
  settings: Settings;
  /** The branch that gets the work; null: the one that is checked out. */
  onto: string | null;
  /** How many workers. */
  count: number;
  /** The words that start this ralph, and the flags of `ralph run` that each worker gets. */
  self: readonly string[];
  flags: readonly string[];
  signal: AbortSignal;
  say: Say;
};

type Say = (text: string) => void;

/**
 * Makes the worktrees, or finds them as an earlier swarm left them.
 * @throws RalphError `environment` without a repository, a commit, a branch, a plan or a task in it; what `openWorktree` throws
 */
export async function openSwarmYard(place: SwarmPlace): Promise<SwarmYard & { target: string }> {
  const { project, env, settings, count, self, flags, signal, say } = place;
  const { git, commonDir, root, prefix, mark } = await projectGit(project, env, signal);
  const target = place.onto ?? (await currentBranch(git));
  if (target === null)
    throw new RalphError("environment", "No branch is checked out here, so nothing can be landed on it.", {
      hint: "Check one out, or name one: ralph swarm --onto BRANCH",
    });
  if ((await commitOf(git, `refs/heads/${target}`)) === null)
    throw new RalphError("environment", `The branch ${target} has no commit yet.`, {
      hint: "Make one: git add -A && git commit -m first",
    });
  const queue = queueName({ target, prefix });
  const at = { hub: commonDir, target, queue, projectDir: project, isOwn: true, settings };
  const inProject = prefix === "" ? git : { ...git, dir: join(root, prefix) };
  const plan = await readHubPlan(inProject, at);
  if (plan.tasks.graph.tasks.length === 0)
    throw new RalphError("environment", `${plan.own.at(-1)} on ${target} has no task.`, {
      hint: "Add some, and commit them: workers go by the commit. By the prompt alone: ralph run",
    });
  const named = promptPath(settings);
  if ((await currentBranch(git)) === target) await tellUncommitted(inProject, plan, named, say);
  const workers: SwarmWorker[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const options = {
      project,
      name: `w${nth}`,
      // Another project of the repository may have a swarm of its own.
      ...(mark === null ? {} : { branch: `ralph/w${nth}-${mark}` }),
      base: target,
      files: [settings.PROMPT_FILE],
      setup: settings.WORKTREE_SETUP,
      masks: masksOf(settings, env),
    };
    const made = await openWorktree({ ...options, env, signal, say });
    const worker = { name: made.name, project: made.project, id: workerName(made.project) };
    workers.push(worker);
    // One of a swarm that was killed has its agent.
    if (isBusy(worker)) continue;
    const there = createGit(made.project, env, signal);
    const brought = belowPrefix(readRecord(project, made.name)?.brought ?? [], prefix);
    if ((await currentBranch(there)) === made.branch) await leaveEdits(there, project, named);
    const again = await bringAgain(there, { project, brought, own: plan.own });
    await keepOut(there, [...brought, ...again, plan.path]);
  }
  const claims = createClaimStore(git, commonDir, queue);
  return {
    target,
    workers,
    others: listWorktrees(project).flatMap((one) =>
      workers.some(({ name }) => name === one.name)
        ? []
        : [{ name: one.name, project: one.project, id: workerName(one.project) }],
    ),
    async look() {
      // In this order: what lands in between is done in the plan, and not a task that nobody has.
      const held = await claims.list();
      const { tasks } = await readHubPlan(inProject, at);
      return { graph: tasks.graph, claims: held };
    },
    start(worker, task, share) {
      const words = [
        "run",
        "-C",
        worker.project,
        "--claim",
        task,
        "--hub",
        commonDir,
        "--onto",
        target,
        ...flags,
        // It gives its task back: the swarm waits, and not a worker with a task in its hands.
        "--on-limit=stop",
        // The end of each task is no news: the swarm tells its user.
        "--no-notify",
        ...share,
      ];
      const logFile = join(worker.project, RALPH_DIR, "logs", "worker.log");
      try {
        // Its log alone would make a folder that nobody may take for rubbish, and no later swarm could begin.
        if (!existsSync(worker.project))
          throw new RalphError("environment", `The worktree ${worker.name} is gone: somebody removed it.`);
        return started(spawnDetached([...self, ...words], { cwd: worker.project, env, logFile }));
      } catch (error) {
        return notStarted(error);
      }
    },
    newest: (worker) => foldNewestRun(join(worker.project, RALPH_DIR, "runs"), worker.project)?.state ?? null,
    *runs(name) {
      const there = [...workers, ...listWorktrees(project)].find((one) => one.name === name);
      if (there !== undefined) yield* foldRuns(join(there.project, RALPH_DIR, "runs"), there.project);
      for (const folder of pastRunsOf(project, name)) yield* foldRuns(folder, project);
    },
    isBusy,
    async say({ project }, text) {
      const lock = readLock(join(project, RALPH_DIR, "lock"));
      if (lock?.isHeld !== true) return false;
      return (await sendControl(project, lock.run, { command: "say", text }, HEARING_MS)) === "taken";
    },
    async leave(worker, task, isHeld) {
      const left = { branch: branchOfTask(task), onto: `refs/heads/${target}`, isHeld };
      try {
        await leaveTaskBranch(createGit(worker.project, env, signal, WRITES_AFTER_STOP_MS), left);
        return null;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        return error.message;
      }
    },
    leftInside: (worker) => leftInside(createGit(worker.project, env, signal)),
    settle: async (task, seen, next) => (await claims.swap(task, seen, next)) !== null,
  };
}

/** The file that PROMPT_FILE names, as git names it. */
function promptPath({ PROMPT_FILE }: Settings): string[] {
  return [normalize(PROMPT_FILE).split(sep).join("/")];
}

function isBusy({ project }: SwarmWorker): boolean {
  return isWorkerThere(project) || readLock(join(project, RALPH_DIR, "lock"))?.isHeld === true;
}

/** Workers go by the commit, and their work cannot land over a list that a person has changed: better told before it is paid for. */
async function tellUncommitted(git: Git, { own }: HubPlan, named: string[], say: Say): Promise<void> {
  for (const path of own) {
    const changed = await git.run(["diff", "--quiet", "HEAD", "--", path]);
    if (changed.code === 1)
      say(`${path} has changes that are not committed: workers do not see them, and nothing can land before that.`);
  }
  const others = (await changedFiles(git, named)).filter((path) => !own.includes(path));
  if (others.length === 0) return;
  const some = others.slice(0, MOST_NAMED).join(", ") + (others.length > MOST_NAMED ? " …" : "");
  say(`${some} ${others.length === 1 ? "has" : "have"} changes that are not committed: workers do not see them.`);
}

/** Ctrl+C in the swarm's terminal does not reach it: the swarm passes a stop on. */
function started({ pid, exited, output }: ReturnType<typeof spawnDetached>): WorkerProcess {
  let isOver = false;
  return {
    exited: exited.then(({ code }) => {
      isOver = true;
      return code;
    }),
    words: () => {
      try {
        return lastError(output());
      } catch {
        return null; // its log is gone, with its worktree
      }
    },
    stop(how) {
      if (!isOver) process.kill(pid, how === "now" ? "SIGTERM" : "SIGINT");
    },
  };
}

/** Somebody may have removed its worktree: it ends as one that fails, and the others go on. */
function notStarted(error: unknown): WorkerProcess {
  return {
    exited: Promise.resolve(ERROR_EXIT_CODES.environment),
    words: () => singleLine(reasonOf(error)),
    stop() {},
  };
}
