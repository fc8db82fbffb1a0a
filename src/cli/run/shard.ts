/** `ralph run --shard`: one of several identical workers, which share a plan by claims in the repository that all of them reach. */
import { RalphError } from "../../core/errors.ts";
import { createClaimWatch } from "../../core/fleet/claim-watch.ts";
import { leftInsideWords } from "../../core/fleet/left-inside-words.ts";
import { describeLeft, nextTask } from "../../core/fleet/next-task.ts";
import { describeShard, type Shard, shardOf } from "../../core/fleet/shard.ts";
import { boundsLeft, useOf } from "../../core/fleet/worker-bounds.ts";
import type { State } from "../../core/journal/state.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { steadyClock, systemClock } from "../../effects/clock.ts";
import { createClaimStore } from "../../effects/fleet/claims.ts";
import { readHubPlan } from "../../effects/fleet/hub-plan.ts";
import { queueName } from "../../effects/fleet/queue.ts";
import { asOnlyWorker } from "../../effects/fleet/worker-lock.ts";
import { workerName } from "../../effects/fleet/worker-name.ts";
import { leftInside } from "../../effects/git/commit-all.ts";
import { createGit, type Git } from "../../effects/git/git-program.ts";
import { patientGit } from "../../effects/git/patient-git.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { loadSettings } from "../load-settings.ts";
import { type WorkPlace, workTask } from "./work-task.ts";

/** Each look is a request to the hub, and many workers may wait at once: the second waits twice as long, up to the most. */
const FIRST_WAIT_MS = 1000;
const MOST_WAIT_MS = 30_000;
/** A worker looks so many times during a lease: what a dead one held is taken soon after its end. */
const LOOKS_IN_LEASE = 5;

/**
 * Takes one task after the other until none is left that it could take.
 * @returns 0 if all is done, handed in or in other hands; 4 if a bound is used up; 6 if a person has to look; the exit code of the run
 * that ended it
 * @throws RalphError `environment` without a repository, hub or plan in it, or where another worker works; `usage` for a bad `--shard`
 */
export function runShard(context: CommandContext<RunArgs>, run: WorkPlace["run"]): Promise<number> {
  return asOnlyWorker(context.projectDir, () => workAlone(context, run));
}

async function workAlone(context: CommandContext<RunArgs>, run: WorkPlace["run"]): Promise<number> {
  const { args, env } = context;
  const { settings } = loadSettings(context);
  const shard = args.claim === undefined ? shardOf(args.shard ?? "", env) : null;
  const place = await openPlace(context, settings, run);
  return shard === null
    ? workOn(context, args.claim ?? "", place, settings)
    : workThrough(context, shard, place, settings);
}

/** A place of work, before its plan is read. */
type OpenPlace = Omit<WorkPlace, "plan" | "builtOn"> & { queue: string };

async function openPlace(
  { args, env, projectDir, log }: CommandContext<RunArgs>,
  settings: Settings,
  run: WorkPlace["run"],
): Promise<OpenPlace> {
  const quick = createGit(projectDir, env);
  const git = patientGit(quick, {
    sleep: (ms) => systemClock.sleepUntil(Date.now() + ms, new AbortController().signal),
    onWait: (said) => log.warn(`The hub does not answer, and is asked again for ten minutes: ${singleLine(said)}`),
  });
  const hub = args.hub ?? "origin";
  const target = args.onto ?? (await headBranch(git, hub));
  const leaseMs = settings.CLAIM_LEASE_MINUTES * 60_000;
  const queue = queueName({ target, prefix: await prefixOf(git) });
  const claims = createClaimStore(git, hub, queue);
  const renewals = createClaimStore(quick, hub, queue);
  return { git, hub, target, queue, leaseMs, run, claims, renewals, worker: workerName(projectDir) };
}

/** `--shard`: one task after the other. */
async function workThrough(
  context: CommandContext<RunArgs>,
  shard: Shard,
  place: OpenPlace,
  settings: Settings,
): Promise<number> {
  const { projectDir, log } = context;
  const { git, hub, target, queue, leaseMs, worker } = place;
  log.info(`This is ${describeShard(shard)}: tasks from ${hub}, for ${target}.`);
  const began = Date.now();
  const watch = createClaimWatch(leaseMs, steadyClock.now);
  const runs: State[] = [];
  const told = new Set<string>();
  for (let looks = 0; ; ) {
    const bounds = boundsLeft(settings, useOf(runs, Date.now() - began));
    if ("reached" in bounds) {
      log.log(`This worker has used up ${bounds.reached}, which holds for all its tasks together.`);
      return STOP_REASONS.max_time.exit;
    }
    // In this order: what lands in between is done in the plan, and not a task that nobody has.
    const held = watch(await place.claims.list(), Date.now());
    const plan = await readHubPlan(git, { hub, target, queue, projectDir, settings });
    const claims = new Map([...held].map(([id, { claim }]) => [id, claim]));
    const next = nextTask(plan.tasks.graph, { claims, shard, stacks: true, worker, now: Date.now() });
    if (next.do === "end") {
      log.log(describeLeft(next.left));
      return next.left.parked > 0 ? STOP_REASONS.waits_for_answer.exit : 0;
    }
    if (next.do === "wait") {
      const ms = Math.min(FIRST_WAIT_MS * 2 ** looks, MOST_WAIT_MS, leaseMs / LOOKS_IN_LEASE);
      looks += 1;
      await systemClock.sleepUntil(Date.now() + ms, new AbortController().signal);
      continue;
    }
    looks = 0;
    const { task } = next;
    const bounded = { ...context, settings: { ...context.settings, ...bounds.flags } };
    const worked = await workTask(bounded, task, { ...place, plan, builtOn: next.builtOn });
    if (worked.outcome === "taken") continue;
    if (worked.run !== null) runs.push(worked.run);
    log.log(`${OUTCOMES[worked.outcome]}: ${singleLine(task.text)} (${worked.why})`);
    for (const path of await leftInside(git)) {
      if (!told.has(path)) log.warn(leftInsideWords(path, git.dir));
      told.add(path);
    }
    if (!worked.goesOn) return worked.exitCode;
  }
}

/** `--claim`: one task, once. @returns 0 if it was handed in, else the exit code of its run; 6 if somebody else has it */
async function workOn(
  context: CommandContext<RunArgs>,
  id: string,
  place: OpenPlace,
  settings: Settings,
): Promise<number> {
  const { git, hub, target, queue } = place;
  const plan = await readHubPlan(git, { hub, target, queue, projectDir: context.projectDir, settings });
  const task = plan.tasks.graph.tasks.find((one) => one.id === id);
  if (task === undefined)
    throw new RalphError("usage", `The plan has no task ${id}.`, {
      hint: "A swarm gives its workers ids of tasks; a claim and a branch end in them.",
    });
  const claims = await place.claims.list();
  const builtOn = task.after.flatMap((other) => {
    const claim = claims.get(other)?.claim;
    return claim?.state === "handed_in" ? [claim.branch] : [];
  });
  const worked = await workTask(context, task, { ...place, plan, builtOn });
  if (worked.outcome !== "taken") return worked.outcome === "handed_in" ? 0 : worked.exitCode;
  context.log.log(`Somebody else has the task: ${singleLine(task.text)}`);
  return STOP_REASONS.waits_for_answer.exit;
}

const OUTCOMES = {
  handed_in: "Handed in",
  given_back: "Given back",
  parked: "Set aside for a person",
  lost: "Lost",
} as const;

/** The project's path from the root of its checkout, without a slash at its end. */
async function prefixOf(git: Git): Promise<string> {
  return (await git.need(["rev-parse", "--show-prefix"])).replace(/\/$/, "");
}

const HUB_HINT = "Workers meet in the remote origin, or in the one of --hub: see git remote --verbose";

/** The branch that a clone of the hub has checked out. */
async function headBranch(git: Git, hub: string): Promise<string> {
  const said = await git.need(["ls-remote", "--symref", "--quiet", hub, "HEAD"]).catch((error: unknown) => {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError(error.code, error.message, { hint: HUB_HINT, cause: error });
  });
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1];
  if (branch !== undefined) return branch;
  throw new RalphError("environment", `${hub} has no branch that is its head.`, { hint: "Name one with --onto." });
}
