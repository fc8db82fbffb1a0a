/** Several workers on one plan: each takes a task at a time, and what they hand in is landed while they go on (product.md "Swarm"). */
import { isTakeable, type TaskClaim, type TaskOutcome } from "../../core/fleet/claim.ts";
import { nextTask } from "../../core/fleet/next-task.ts";
import { taskEnd } from "../../core/fleet/task-end.ts";
import type { EventOf, WorkerSpending } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { aboutTask } from "../../core/needs/questions.ts";
import { reachedBound } from "../../core/stop/bounds.ts";
import { STOP_REASONS, type StopReason } from "../../core/stop/stop-reasons.ts";
import { flagsOf, isSharedBound, type Share, shareIn, shareOf } from "../../core/swarm/share.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { WorkTask } from "../../core/tasks/task-graph.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { LandYard, SwarmWorker, SwarmYard, WorkerProcess } from "../../effects/ports.ts";
import type { Run } from "../run.ts";
import { type LandResult, landBranches } from "./land.ts";

export type SwarmOptions = {
  yard: SwarmYard;
  land: LandYard;
  /** Land without any gate. */
  untested: boolean;
  /** ms between the starts of two workers: agents that begin at once meet the same limits at once. */
  staggerMs: number;
  /** ms between two looks at the workers. */
  lookMs: number;
};

/** A worker at work. */
type Busy = {
  worker: SwarmWorker;
  task: WorkTask;
  share: Share;
  /** The newest run there before: what it says is not of this process. */
  before: string | null;
  process: WorkerProcess;
  exit: number | null | "running";
  /** Whether it was asked to stop by this swarm. */
  isTold: boolean;
};

/** A worker at work that a swarm left that was killed, with its run; null while none is under way there. */
type Orphan = { work: { run: string; task: string } | null; share: Share };

type Swarm = {
  run: Run;
  options: SwarmOptions;
  busy: Map<string, Busy>;
  orphans: Map<string, Orphan>;
  /** Workers that take no more: their agent or machine fails them, which another task would not mend. */
  ended: Map<string, { reason: StopReason; sentence: string }>;
  /** How often the processes of a worker were killed. */
  deaths: Map<string, number>;
  landing: boolean;
  landed: LandResult | null;
  /** All that was handed in when a pass left some of it, and the target's commit after it: another pass would do no better. */
  left: { handedIn: string; tip: string } | null;
  /** What failed in landing, once. */
  failure: Error | null;
  lastStart: number;
  /** Epoch ms until which the provider's limit holds for a worker. */
  resting: Map<string, number>;
  /** Plan and claims as they were seen last; null: look again. Each look starts several programs. */
  seen: Seen | null;
  seenAt: number;
  /** The questions, as they were then. */
  inbox: State["inbox"] | null;
  /** What others had when the journal last told that the swarm waits for them. */
  elsewhere: string;
  /** The stop that was passed on to the workers. */
  told: "after_iteration" | "now" | null;
};

type Seen = Awaited<ReturnType<SwarmYard["look"]>> & { tip: string };

/** Others may change the hub: another swarm's worker, or a person. */
const LOOK_AGAIN_MS = 10_000;
/** Where a provider does not say when its limit ends. */
const USUAL_REST_MS = 15 * 60_000;

/**
 * Runs until every task is on the target, nothing can go on, or it is stopped.
 * @returns the run's last event
 * @throws RalphError `environment` if git fails; the workers are asked to stop then
 */
export async function swarm(run: Run, options: SwarmOptions): Promise<EventOf<"run_finished">> {
  const at: Swarm = {
    ...{
      run,
      options,
      busy: new Map(),
      orphans: new Map(),
      ended: new Map(),
      deaths: new Map(),
      landing: false,
      landed: null,
      left: null,
      failure: null,
    },
    ...{ resting: new Map(), seen: null, seenAt: 0, inbox: null, elsewhere: "" },
    ...{ lastStart: Number.NEGATIVE_INFINITY, told: null },
  };
  const { clock } = run.world;
  try {
    for (;;) {
      // What a worker did last is in the claims that are read after its end.
      const ended = [...at.busy.values()].filter(({ exit }) => exit !== "running");
      if (ended.length > 0) at.seen = null;
      adoptOrphans(at);
      const seen = await look(at);
      await takeBack(at, ended, seen.claims);
      await bringBack(at, seen.claims);
      const end = await step(at);
      if (end !== null) return run.finish(end.reason, end.sentence);
      await clock.sleepUntil(clock.now() + options.lookMs, run.stops.killSignal);
    }
  } finally {
    for (const { process } of at.busy.values()) process.stop("after_iteration");
  }
}

async function look(at: Swarm): Promise<Seen> {
  const { run, options, seen } = at;
  const now = run.world.clock.now();
  const { inbox } = run.state();
  if (seen !== null && now - at.seenAt < LOOK_AGAIN_MS && inbox === at.inbox) return seen;
  const { landing } = at;
  const fresh = { ...(await options.yard.look()), tip: await options.land.tip() };
  // What landed meanwhile may be in the one and not in the other.
  Object.assign(at, { seen: landing === at.landing ? fresh : null, seenAt: now, inbox });
  return fresh;
}

/** @returns whether the claim was still the one that was seen */
async function settle(at: Swarm, task: string, id: string, next: TaskClaim | null): Promise<boolean> {
  at.seen = null;
  return at.options.yard.settle(task, id, next);
}

type End = { reason: StopReason; sentence: string };

async function step(at: Swarm): Promise<End | null> {
  const { run, options, busy } = at;
  const { state, settings, world } = run;
  if (at.failure !== null) throw at.failure;
  const asked = state().stop_requested;
  const bound = reachedBound(state(), settings, world.clock.now());
  if (asked !== null || bound !== null) {
    tellStop(at, asked?.how ?? "after_iteration");
    if (busy.size > 0 || at.landing) return null;
    if (asked !== null) return { reason: STOPPED[asked.by], sentence: "Stopped on request." };
    return bound === null ? null : { reason: bound.reason, sentence: bound.sentence };
  }
  at.told = null;
  const { graph, claims: held, tip } = await look(at);
  const claims = new Map([...held].map(([id, { claim }]) => [id, claim]));
  // Nobody else is to begin with a task before its worker's claim is seen: on a busy machine that takes seconds.
  for (const { task, worker } of busy.values())
    if (claims.get(task.id)?.state !== "handed_in") claims.set(task.id, begunClaim(task, worker));
  const handedIn = [...held.values()].flatMap(({ id, claim }) => (claim.state === "handed_in" ? [id] : [])).join(" ");
  const isLeft = at.left?.handedIn === handedIn && at.left.tip === tip;
  if (!at.landing && handedIn !== "" && !isLeft) startLanding(at, handedIn);
  const rests = restOf(at);
  const idle = options.yard.workers.filter(
    ({ name }) => !busy.has(name) && !at.ended.has(name) && (at.resting.get(name) ?? 0) <= world.clock.now(),
  );
  // What one did that has ended is in the claims that are read after its end.
  if (idle.filter((worker) => hasOrphanEnded(at, worker, claims)).length > 0) return null;
  let waits = busy.size > 0 || at.landing || (rests && graph.tasks.some(({ done }) => !done));
  for (const worker of idle) {
    if (state().paused) break;
    if (options.yard.isBusy(worker)) {
      waits = true;
      continue;
    }
    const place = { index: options.yard.workers.indexOf(worker), count: options.yard.workers.length };
    const now = world.clock.now();
    const next = nextTask(graph, { claims, shard: place, stacks: false, worker: worker.id, now });
    if (next.do !== "work") continue;
    waits = true;
    if (now - at.lastStart < options.staggerMs) break;
    const share = shareOf(
      state(),
      settings,
      [...busy.values(), ...at.orphans.values()].map((one) => one.share),
      takers(at, graph.tasks, claims),
    );
    if (share === null) break;
    begin(at, worker, next.task, share);
    claims.set(next.task.id, begunClaim(next.task, worker));
  }
  if (waits || state().paused) return null;
  const elsewhere = idle.length === 0 ? "" : workElsewhere(graph.tasks, claims, world.clock.now());
  if (elsewhere === "") return endOf(at, graph.tasks, claims);
  if (elsewhere !== at.elsewhere) run.append({ type: "note", level: "info", text: `Waiting: ${elsewhere}.` });
  at.elsewhere = elsewhere;
  return null;
}

/** What others have: they hand it in, or are dead, and then their lease ends and it comes free. */
function workElsewhere(tasks: readonly WorkTask[], claims: ReadonlyMap<string, TaskClaim>, now: number): string {
  const held = tasks.flatMap(({ id, text, done }) => {
    const claim = claims.get(id);
    if (done || claim?.state !== "claimed" || isTakeable(claim, now)) return [];
    return [`${claim.worker.name} works on "${singleLine(text)}"`];
  });
  return held.join("; ");
}

/** Before the claims are read: what a worker that ends meanwhile had would else look as if it had begun nothing. */
function adoptOrphans({ options: { yard }, busy, orphans }: Swarm): void {
  for (const worker of yard.workers)
    if (!busy.has(worker.name) && !orphans.has(worker.name) && yard.isBusy(worker))
      orphans.set(worker.name, orphanOf(yard.newest(worker)));
}

/** What an orphan may still use is given to no other; what it used counts once it has ended. */
function hasOrphanEnded(at: Swarm, worker: SwarmWorker, claims: ReadonlyMap<string, TaskClaim>): boolean {
  const { run, options, orphans } = at;
  const known = orphans.get(worker.name);
  if (known === undefined || options.yard.isBusy(worker)) return false;
  orphans.delete(worker.name);
  at.seen = null;
  const newest = options.yard.newest(worker);
  if (newest !== null && known.work !== null && newest.run === known.work.run) {
    const { task } = known.work;
    const claim = claims.get(task) ?? null;
    const { outcome, why } = outcomeOf(claim, newest, claim?.state === "handed_in" ? 0 : null);
    run.append({ type: "task_released", task, worker: worker.name, outcome, why, spent: spentBy(newest) });
  }
  return true;
}

function orphanOf(newest: State | null): Orphan {
  const [task] = newest?.tasks_at_work ?? [];
  if (newest === null || newest.finished !== null || task === undefined) return { work: null, share: {} };
  return { work: { run: newest.run, task: task.task }, share: shareIn(newest) };
}

/** How many workers could begin now. */
function takers(at: Swarm, tasks: readonly WorkTask[], claims: ReadonlyMap<string, TaskClaim>): number {
  const now = at.run.world.clock.now();
  const free = at.options.yard.workers.filter(
    ({ name }) => !at.busy.has(name) && !at.orphans.has(name) && !at.ended.has(name),
  );
  const open = tasks.filter(({ id, done, held }) => {
    return !done && held === undefined && isTakeable(claims.get(id) ?? null, now);
  });
  // One that goes on with what it had before a crash has it already.
  return Math.max(1, Math.min(free.length, open.length));
}

/** What the claim of a worker that has begun will be. */
function begunClaim({ id, text }: WorkTask, worker: SwarmWorker): TaskClaim {
  const until = Number.POSITIVE_INFINITY;
  return { state: "claimed", task: id, text, worker: { name: worker.id }, until, tries: 0 };
}

/** Says when all of them wait for the provider's limit, and when that is over. @returns whether any rests */
function restOf({ run, busy, resting }: Swarm): boolean {
  const now = run.world.clock.now();
  const left = [...resting.values()].filter((until) => until > now);
  const { wait } = run.state();
  if (wait === null && left.length > 0 && busy.size === 0) {
    const until = new Date(Math.min(...left)).toISOString();
    run.append({ type: "wait_started", until, why: "usage_limit", message: "The workers met the provider's limit." });
  } else if (wait !== null && (left.length === 0 || busy.size > 0)) run.append({ type: "wait_ended", why: wait.why });
  return left.length > 0;
}

function begin(at: Swarm, worker: SwarmWorker, task: WorkTask, share: Share): void {
  const { run, options, busy } = at;
  const flags = flagsOf(share, run.settings, options.yard.workers.length);
  const before = options.yard.newest(worker)?.run ?? null;
  const process = options.yard.start(worker, task.id, flags);
  const one: Busy = { worker, task, share, before, process, exit: "running", isTold: false };
  process.exited.then(
    (code) => {
      one.exit = code;
    },
    (error) => {
      at.failure ??= error as Error;
    },
  );
  busy.set(worker.name, one);
  at.lastStart = run.world.clock.now();
  run.append({ type: "task_claimed", task: task.id, text: task.text, worker: worker.name, branch: "", session: null });
}

/** Records what workers that ended did, and gives back what one held that died. */
async function takeBack(
  at: Swarm,
  ended: readonly Busy[],
  claims: ReadonlyMap<string, { id: string; claim: TaskClaim }>,
): Promise<void> {
  const { run, options, busy } = at;
  for (const one of ended) {
    const { worker, task, before, exit } = one;
    if (exit === "running") continue;
    const { name } = worker;
    busy.delete(name);
    const newest = options.yard.newest(worker);
    const isNew = newest !== null && newest.run !== before;
    const worked = isNew && newest.tasks_at_work.some((at) => at.task === task.id) ? newest : null;
    const held = claims.get(task.id) ?? null;
    const isOurs = held?.claim.worker.name === worker.id;
    if (held !== null && isOurs && held.claim.state === "claimed") {
      await leave(at, worker);
      await settle(at, task.id, held.id, null);
    }
    // Another swarm, or a worker elsewhere, was faster: no fault of this one.
    const isTaken = worked === null && held !== null && !isOurs && !isTakeable(held.claim, run.world.clock.now());
    const { outcome, why } = isTaken
      ? ({ outcome: "given_back", why: "somebody else has it" } as const)
      : outcomeOf(isOurs ? (held?.claim ?? null) : null, worked, exit);
    run.append({
      ...{ type: "task_released", task: task.id, worker: name, outcome, why },
      ...(worked === null ? {} : { spent: spentBy(worked) }),
    });
    if (outcome === "given_back" && exit !== 0 && !isTaken) noteEnded(at, one, worked, exit);
  }
}

/** A branch that is checked out can be checked out by no other worker. */
async function leave({ run, options }: Swarm, worker: SwarmWorker): Promise<void> {
  try {
    await options.yard.leave(worker);
  } catch (error) {
    const text = `Worker ${worker.name} left its task's branch checked out: ${reasonOf(error)}`;
    run.append({ type: "note", level: "warn", text });
  }
}

/** A process that is killed may have been in somebody's way once. */
const MOST_DEATHS = 3;

/** A worker whose agent or machine fails would fail with each further task: it gets no more. */
function noteEnded(at: Swarm, { worker: { name }, isTold }: Busy, worked: State | null, exit: number | null): void {
  const { ended, deaths, resting, run } = at;
  const finished = worked?.finished ?? null;
  if (finished !== null && STOP_REASONS[finished.reason].status !== "completed") {
    const { reason, sentence } = finished;
    if (reason === "usage_limit" && run.settings.ON_USAGE_LIMIT === "wait")
      resting.set(name, worked?.limit?.until ?? run.world.clock.now() + USUAL_REST_MS);
    else if (!isTold && !isSharedBound(reason) && !taskEnd(reason, 0).goesOn) ended.set(name, { reason, sentence });
    return;
  }
  deaths.set(name, (deaths.get(name) ?? 0) + 1);
  if (exit === null && (deaths.get(name) ?? 0) < MOST_DEATHS) return;
  const did = finished === null ? "before it began" : "and did not hand in what it did";
  const how = exit === null ? "a signal" : `exit code ${exit}`;
  ended.set(name, { reason: "agent_unusable", sentence: `Worker ${name} ended with ${how} ${did}.` });
}

function outcomeOf(
  claim: TaskClaim | null,
  worked: State | null,
  exit: number | null,
): { outcome: TaskOutcome; why: string } {
  const sentence = worked?.finished?.sentence ?? (exit === null ? "it was killed" : `it ended with exit code ${exit}`);
  // A claim that is gone was landed meanwhile.
  if (exit === 0) return { outcome: "handed_in", why: sentence };
  if (claim?.state === "parked") return { outcome: "parked", why: claim.why };
  return { outcome: "given_back", why: sentence };
}

function spentBy({ iterations, calls, usage }: State): WorkerSpending {
  return { iterations, calls, usage };
}

/** Asks a person about each task that is set aside, and gives it back to a worker with the answer. */
async function bringBack(at: Swarm, claims: ReadonlyMap<string, { id: string; claim: TaskClaim }>): Promise<void> {
  const { run, options } = at;
  for (const [task, { id, claim }] of claims) {
    if (claim.state !== "parked") continue;
    const { inbox, said } = run.state();
    const isAsked = inbox.open.some((question) => question.task === claim.text);
    const answer = said.findLast(({ text }) => text.includes(aboutTask(claim.text)))?.text;
    if (isAsked) continue;
    if (answer === undefined) {
      const worker = options.yard.workers.find((one) => one.id === claim.worker.name);
      const question = (worker === undefined ? null : options.yard.newest(worker))?.inbox.open.find(
        (one) => one.task === claim.text,
      );
      run.append({
        type: "question_asked",
        kind: question?.kind ?? "blocked",
        task: claim.text,
        text: question?.text ?? claim.why,
        parked: true,
      });
    } else if (await settle(at, task, id, { ...claim, state: "returned", why: "answered", message: answer, tries: 0 }))
      run.append({ type: "answer_passed_on", task, text: claim.text });
  }
}

function tellStop(at: Swarm, how: "after_iteration" | "now"): void {
  if (at.told === how || at.told === "now") return;
  at.told = how;
  for (const one of at.busy.values()) {
    one.isTold = true;
    one.process.stop(how);
  }
}

function startLanding(at: Swarm, handedIn: string): void {
  const { run, options } = at;
  at.landing = true;
  landBranches(run, { yard: options.land, named: null, untested: options.untested, acceptWeaker: false })
    .then(
      (result) => {
        at.landed = result;
        at.left = result.left.length === 0 ? null : { handedIn, tip: result.to };
      },
      (error) => {
        at.failure ??= error as Error;
      },
    )
    .finally(() => {
      at.landing = false;
      at.seen = null;
    });
}

const STOPPED = { user: "stopped_by_user", SIGINT: "interrupted", SIGTERM: "terminated", SIGHUP: "hung_up" } as const;

/** Nobody is at work, and nobody can begin. */
function endOf(at: Swarm, tasks: readonly WorkTask[], claims: ReadonlyMap<string, TaskClaim>): End {
  const back = tasks.filter(({ done, held }) => !done && held !== undefined).length;
  const open = tasks.filter(({ done, held }) => !done && held === undefined);
  const count = tasks.length - back;
  const rest = back === 0 ? "" : ` The list keeps back ${back === 1 ? "one" : back}.`;
  if (open.length === 0) return { reason: "plan_complete", sentence: `All ${count} tasks are done and landed.${rest}` };
  const [failed] = [...at.ended.values()];
  if (failed !== undefined && at.ended.size === at.options.yard.workers.length) return failed;
  const parked = open.filter(({ id }) => claims.get(id)?.state === "parked");
  if (parked.length > 0)
    return {
      reason: "waits_for_answer",
      sentence: `${parked.length} of ${open.length} open tasks wait for a person's answer.`,
    };
  const left = at.landed?.left.map(({ name, why }) => `${name}: ${why}`) ?? [];
  const are = open.length === 1 ? "One task is" : `${open.length} tasks are`;
  const why = left.join("; ");
  return { reason: "not_all_landed", sentence: `${are} not landed${why === "" ? "" : `: ${why}`}.` };
}
