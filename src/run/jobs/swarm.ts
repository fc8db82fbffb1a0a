/** Several workers on one plan: each takes a task at a time, and what they hand in is landed while they go on (product.md "Several workers"). */
import { hasGates } from "../../core/decide/gate-rules.ts";
import type { EventOf } from "../../core/journal/event.ts";
import { warning } from "../../core/journal/warning.ts";
import { MissingTargetError } from "../../core/land/missing-target.ts";
import { reachedBound } from "../../core/stop/bounds.ts";
import { STOPPED_BY } from "../../core/stop/requested-stop.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { isCounted, isInTime } from "../../core/stop/stop-rule.ts";
import { begunClaim } from "../../core/swarm/begun-claim.ts";
import { cutShort, redTargetEnd, type SwarmEnd, swarmEnd } from "../../core/swarm/swarm-end.ts";
import { workElsewhere } from "../../core/swarm/work-elsewhere.ts";
import type { Run } from "../run.ts";
import { beginWorkers } from "../swarm/begin-workers.ts";
import { landHandedIn } from "../swarm/landing.ts";
import { nextLook } from "../swarm/next-look.ts";
import { adoptOrphans, endedOrphans, release } from "../swarm/orphans.ts";
import { bringBack } from "../swarm/parked-tasks.ts";
import { passOn } from "../swarm/pass-on.ts";
import { look } from "../swarm/plan-and-claims.ts";
import { newSwarm, type Swarm, type SwarmOptions } from "../swarm/swarm-context.ts";
import { takeBack } from "../swarm/take-back.ts";
import { tellStop } from "../swarm/tell-stop.ts";
import { tellRest } from "../swarm/usage-limit-rest.ts";
import { endWithoutTarget } from "../swarm/without-target.ts";
import { redOnTarget } from "./land.ts";

/**
 * Runs until every task is on the target, nothing can go on, or it is stopped.
 * @returns the run's last event
 * @throws RalphError `environment` if git fails; the workers are asked to stop then
 */
export async function swarm(run: Run, options: SwarmOptions): Promise<EventOf<"run_finished">> {
  const at = newSwarm(run, options);
  try {
    const red = await redStart(at);
    if (red !== null) return run.finish(red.reason, red.sentence);
    for (;;) {
      // What a worker did last is in the claims that are read after its end.
      const ended = [...at.busy.values()].filter(({ exit }) => exit !== "running");
      if (ended.length > 0) at.seen = null;
      adoptOrphans(at);
      const seen = await look(at);
      await takeBack(at, ended, seen.claims);
      await bringBack(at, seen);
      if (run.state().stop_requested === null) await passOn(at, seen);
      const end = (await stopOf(at)) ?? (await step(at));
      if (end !== null && end !== "later") return run.finish(end.reason, end.sentence);
      await nextLook(at);
    }
  } catch (error) {
    if (error instanceof MissingTargetError) return await endWithoutTarget(at);
    throw error;
  } finally {
    for (const { process } of at.busy.values()) process.stop("after_iteration");
  }
}

/**
 * Tests the target before anything is spent: while it is red no worker's gates become green, unless its task mends all of it. That can
 * be so of the last open task, and of work that another swarm began.
 */
async function redStart(at: Swarm): Promise<SwarmEnd | null> {
  const { run, options } = at;
  if (!hasGates(run.settings)) return null;
  adoptOrphans(at);
  const { graph, claims } = await look(at);
  const open = graph.tasks.filter(({ done, held }) => !done && held === undefined);
  const isUnderWay = at.orphans.size > 0 || [...claims.values()].some(({ claim }) => claim.state === "handed_in");
  if (open.length < 2 || isUnderWay || run.state().stop_requested !== null) return null;
  const red = await redOnTarget(run, options.land);
  at.seen = null;
  return red === null ? null : redTargetEnd(red, options.land.target);
}

/**
 * Passes a stop, or a bound that is reached, on to the workers. What they had handed in by a bound that is not of time is landed, as
 * that makes no call.
 * @returns null where there is none; `later` until they have ended
 */
async function stopOf(at: Swarm): Promise<SwarmEnd | "later" | null> {
  const { run, busy } = at;
  if (at.failure !== null) throw at.failure;
  const { state, now } = run.present();
  const asked = state.stop_requested;
  const bound = reachedBound(state, run.settings, now);
  if (asked === null && bound === null) {
    at.told = null;
    return null;
  }
  tellStop(at, asked?.how ?? "after_iteration");
  if (busy.size > 0 || at.landing) return "later";
  const seen = await look(at);
  const claims = [...seen.claims.values()].map(({ claim }) => claim);
  if (asked !== null) {
    const reason = STOPPED_BY[asked.by];
    return cutShort({ reason, sentence: STOP_REASONS[reason].text }, claims);
  }
  if (bound === null) return null;
  if (isCounted(bound.reason) && isInTime(bound.reason)) return cutShort(bound, claims);
  landHandedIn(at, seen);
  if (at.landing) return "later";
  const isDone = seen.graph.tasks.every(({ done, held }) => done || held !== undefined);
  return isDone
    ? swarmEnd({ tasks: seen.graph.tasks, claims: new Map(), failed: null, left: [] })
    : cutShort(bound, claims);
}

/** Lands what there is, and begins who can. @returns the end once nobody is at work and nobody can begin; else null */
async function step(at: Swarm): Promise<SwarmEnd | null> {
  const { run, options, busy } = at;
  const { clock } = run.world;
  const seen = await look(at);
  const { graph, claims: held } = seen;
  // From here on nothing is awaited: what was seen would be old, and a landing over that is not in it.
  const claims = new Map([...held].map(([id, { claim }]) => [id, claim]));
  // Nobody else is to begin with a task before its worker's claim is seen: on a busy machine that takes seconds.
  for (const { task, worker } of busy.values())
    if (claims.get(task.id)?.state !== "handed_in") claims.set(task.id, begunClaim(task, worker.id));
  landHandedIn(at, seen);
  const rests = tellRest(at);
  const idle = rests ? [] : options.yard.workers.filter(({ name }) => !busy.has(name) && !at.ended.has(name));
  // What one did that has ended is in the claims that are read after its end.
  const over = endedOrphans(at);
  for (const one of over) await release(at, one, held);
  if (over.length > 0) return null;
  const waits = busy.size > 0 || at.landing || (rests && graph.tasks.some(({ done }) => !done));
  const isWork = beginWorkers(at, idle, { graph, claims });
  if (waits || isWork || run.state().paused) return null;
  const elsewhere = idle.length === 0 ? "" : workElsewhere(graph.tasks, claims, clock.now());
  if (elsewhere === "") {
    // One of a larger swarm before ends soon, and counts: it has handed in what it had.
    if (at.orphans.size > 0) return null;
    const [failed = null] = at.ended.size === options.yard.workers.length ? at.ended.values() : [];
    return swarmEnd({ tasks: graph.tasks, claims, failed, left: at.landed?.left ?? [] });
  }
  if (elsewhere !== at.elsewhere) run.append(warning(`Waiting: ${elsewhere}.`));
  at.elsewhere = elsewhere;
  return null;
}
