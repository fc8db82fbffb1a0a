/** `ralph run --shard`: one of several identical workers, which share a plan by claims in the repository that all of them reach. */
import { createHash } from "node:crypto";
import { relative, sep } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { describeLeft, nextTask } from "../../core/fleet/next-task.ts";
import { describeShard, shardOf } from "../../core/fleet/shard.ts";
import { parsePlan } from "../../core/plan/fix-plan.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { listedInPlan, taskGraph } from "../../core/tasks/task-graph.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { systemClock } from "../../effects/clock.ts";
import { createClaimStore } from "../../effects/fleet/claims.ts";
import { fetchBranch, hubTip } from "../../effects/fleet/task-branch.ts";
import { workerName } from "../../effects/fleet/worker-name.ts";
import { createGit, type Git } from "../../effects/git/git-program.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { loadSettings } from "../load-settings.ts";
import { type PlannedTask, type WorkPlace, workTask } from "./work-task.ts";

const MOST_WAIT_MS = 30_000;
/** A worker looks so many times during a lease: what a dead one held is taken soon after its end. */
const LOOKS_IN_LEASE = 5;

/**
 * Takes one task after the other until none is left that it could take.
 * @returns 0 if all is done, handed in or in other hands; 6 if a person has to look; the exit code of the run that ended it
 * @throws RalphError `environment` without a repository, hub or plan in it; `usage` for a bad `--shard`
 */
export async function runShard(context: CommandContext<RunArgs>, run: WorkPlace["run"]): Promise<number> {
  const { args, env, projectDir, log } = context;
  const { settings } = loadSettings(context);
  const shard = shardOf(args.shard ?? "", env);
  const git = createGit(projectDir, env);
  const hub = args.hub ?? "origin";
  const target = args.onto ?? (await headBranch(git, hub));
  const leaseMs = settings.CLAIM_LEASE_MINUTES * 60_000;
  const place = { git, hub, target, leaseMs, run, claims: createClaimStore(git, hub), worker: workerName(projectDir) };
  log.info(`This is ${describeShard(shard)}: tasks from ${hub}, for ${target}.`);
  for (;;) {
    const plan = await planInHub(git, { hub, target, projectDir });
    const tasks = tasksOf(plan.text, settings);
    const held = await place.claims.list();
    const claims = new Map([...held].map(([id, { claim }]) => [id, claim]));
    const next = nextTask(tasks.graph, { claims, shard, worker: place.worker, now: Date.now() });
    if (next.do === "end") {
      log.log(describeLeft(next.left));
      return next.left.parked > 0 ? STOP_REASONS.waits_for_answer.exit : 0;
    }
    if (next.do === "wait") {
      const ms = Math.min(MOST_WAIT_MS, leaseMs / LOOKS_IN_LEASE);
      await systemClock.sleepUntil(Date.now() + ms, new AbortController().signal);
      continue;
    }
    const task: PlannedTask = { ...next.task, line: tasks.lineOf(next.task.id) };
    const worked = await workTask(context, task, { ...place, plan, builtOn: next.builtOn });
    if (worked.outcome === "taken") continue;
    log.log(`${OUTCOMES[worked.outcome]}: ${singleLine(task.text)} (${worked.why})`);
    if (!worked.goesOn) return worked.exitCode;
  }
}

const OUTCOMES = {
  handed_in: "Handed in",
  given_back: "Given back",
  parked: "Set aside for a person",
  lost: "Lost",
} as const;

function tasksOf(text: string, { OPTIONAL_SECTIONS }: Settings) {
  const parsed = parsePlan(text, OPTIONAL_SECTIONS);
  const graph = taskGraph(listedInPlan(parsed), (words) => createHash("sha256").update(words).digest("hex"));
  const [fault] = graph.faults;
  if (fault !== undefined)
    throw new RalphError("environment", fault, {
      hint: "Mend the plan, and commit it: workers read it from the repository.",
    });
  const lines = new Map(graph.tasks.map(({ id }, at) => [id, parsed.boxes[at]?.line ?? 0]));
  return { graph, lineOf: (id: string) => lines.get(id) ?? 0 };
}

/** The plan as it is on the target: what is ticked there is done. */
async function planInHub(
  git: Git,
  { hub, target, projectDir }: { hub: string; target: string; projectDir: string },
): Promise<{ text: string; path: string }> {
  const tip = await hubTip(git, hub, target);
  if (tip !== null) await fetchBranch(git, hub, target);
  const file = projectPaths(projectDir, null, null).plan;
  const path = file === null ? null : relative(projectDir, file).split(sep).join("/");
  const shown = path === null || tip === null ? null : await git.run(["show", `${tip}:./${path}`]);
  if (path === null || shown === null || shown.code !== 0)
    throw new RalphError("environment", `There is no plan on ${target} in ${hub}.`, {
      hint: "Commit and push it: workers on other machines have it from there.",
    });
  return { text: shown.stdout, path };
}

/** The branch that a clone of the hub has checked out. */
async function headBranch(git: Git, hub: string): Promise<string> {
  const said = await git.need(["ls-remote", "--symref", "--quiet", hub, "HEAD"]);
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1];
  if (branch !== undefined) return branch;
  throw new RalphError("environment", `${hub} has no branch that is its head.`, { hint: "Name one with --onto." });
}
