/** One task of a plan that several workers share: claimed, worked on by an ordinary run in this checkout, and handed in. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sessionUsage } from "../../core/decide/session.ts";
import { isTakeable, type TaskClaim, type TaskOutcome } from "../../core/fleet/claim.ts";
import { type TaskEnd, taskEnd, unfinishedEnd } from "../../core/fleet/task-end.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { State } from "../../core/journal/state.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { isCompleted } from "../../core/swarm/worker-end.ts";
import type { WorkTask } from "../../core/tasks/task-graph.ts";
import { truncate } from "../../core/text/truncate.ts";
import type { Usage } from "../../driver.ts";
import { writeFileAtomic } from "../../effects/files/atomic-write.ts";
import { PRIVATE_FOLDER, SHARED_FILE } from "../../effects/files/private.ts";
import type { ClaimStore, HeldClaim, PushedAlong } from "../../effects/fleet/claims.ts";
import type { HubPlan } from "../../effects/fleet/hub-plan.ts";
import { ConflictError } from "../../effects/fleet/left-work.ts";
import { branchOfTask, commitTask, hideOwn, openTaskBranch, prepareHandIn } from "../../effects/fleet/task-branch.ts";
import type { Git } from "../../effects/git/git-program.ts";
import { foldNewestRun } from "../../effects/journal/journal-fold.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import type { Run } from "../../run/run.ts";
import type { CommandContext } from "../context.ts";
import type { RunArgs } from "../definitions/run.ts";
import { isOwn, type KeptClaim, keepClaim } from "./keep-claim.ts";

/** Where a worker works, and for whom. */
export type WorkPlace = {
  git: Git;
  claims: ClaimStore;
  /** The same claims without waits for a hub that is away. */
  renewals: ClaimStore;
  /** Name, URL or path of the repository that is queue, lock and result. */
  hub: string;
  /** The branch that the work is for, in the hub. */
  target: string;
  /** This worker's name: unique, and the same after a crash. */
  worker: string;
  leaseMs: number;
  /** All tasks, and where the worker's own plan lies in the checkout. */
  plan: HubPlan;
  /** Branches of tasks that a task waits for. */
  builtOn: readonly string[];
  /** An ordinary run in the project of a context. @param onRun called before it begins to work */
  run(context: CommandContext<RunArgs>, onRun: (run: Run) => void): Promise<number>;
};

export type WorkedTask =
  /** Somebody else has it. */
  { outcome: "taken" } | EndedTask;

type EndedTask = {
  outcome: TaskOutcome;
  why: string;
  exitCode: number;
  goesOn: boolean;
  /** The state of the run on it as it ended; null if none began now. */
  run: State | null;
};

/** What is told at once of the reason why work came back; a file has all of it. */
const MESSAGE_CHARS = 3000;

/**
 * Claims a task, works on it, and hands it in or gives it back.
 * @returns what became of it
 * @throws RalphError `environment` if git or the hub fails, and whatever a run throws before it begins
 */
export async function workTask(
  context: CommandContext<RunArgs>,
  task: WorkTask,
  place: WorkPlace,
): Promise<WorkedTask> {
  const { claims, renewals, worker, leaseMs, git, plan } = place;
  const before = (await claims.list()).get(task.id) ?? null;
  if (!isTakeable(before?.claim ?? null, Date.now()) && !isOwn(before, worker)) return { outcome: "taken" };
  const branch = branchOf(before) ?? branchOfTask(task);
  const about: About = { task: task.id, text: task.text, tries: before?.claim.tries ?? 0 };
  const isKept = isOwn(before, worker);
  const kept = isKept ? before.claim.worker.run : undefined;
  const done = doneIn(git.dir, kept);
  let run = kept;
  const claimed = (): TaskClaim => ({
    state: "claimed",
    ...about,
    worker: { name: worker, ...(run === undefined ? {} : { run }) },
    until: Date.now() + leaseMs,
  });
  const commit = await claims.swap(task.id, before?.id ?? null, claimed());
  if (commit === null) return { outcome: "taken" };
  const held = keepClaim({ claims, renewals, task: task.id, commit, claimed, everyMs: leaseMs / 3 });
  const conversation = createConversation();
  let ended: { state: State; exitCode: number } | null = null;
  /** What becomes of the claim where no run began. */
  let unbegun: TaskClaim | null = null;
  try {
    const isReturned = before?.claim.state === "returned";
    const marked = await openTaskBranch(git, { ...place, branch, own: plan.own, isReturned, isKept });
    writeFileAtomic(join(git.dir, plan.path), plan.tasks.planOf(task), SHARED_FILE);
    await hideOwn(git, plan.own);
    const onRun = (begun: Run) => {
      held.watch(begun);
      conversation.watch(begun);
      beginTask(begun, { task, branch, worker, before, marked });
      run = begun.state().run;
    };
    if (done !== null) context.log.log(`Run ${done.run} here did it before, and its work was not handed in.`);
    const exitCode = done === null ? await place.run({ ...context, projectDir: git.dir, noCommand: false }, onRun) : 0;
    const state = done ?? newestState(git.dir);
    if (state === null) throw new Error("the run left no journal");
    ended = { state, exitCode };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    unbegun = parkedClaim(about, worker, error.message);
    return parked(error.message, null);
  } finally {
    if (ended === null) await held.release(unbegun);
  }
  if (held.isLost()) return lost(ended);
  const worked = await endTask(held, { ...place, ...ended, task, branch, about, session: conversation.newest() });
  return done === null ? worked : { ...worked, run: null };
}

/**
 * The run that did the task before this worker was killed, or the hub refused what it did: no call is to be paid twice.
 * @param run that the claim names, which is not that of a time before the work came back; undefined: none
 */
function doneIn(project: string, run: string | undefined): State | null {
  const newest = run === undefined ? null : newestState(project);
  return newest?.run === run && isCompleted(newest) ? newest : null;
}

/** Commits what the run left, and hands the task in or gives it back. */
async function endTask(held: KeptClaim, work: Worked): Promise<EndedTask> {
  const { git, task, about, state, exitCode } = work;
  const reason = state.finished?.reason ?? "internal_error";
  const said = state.finished?.sentence ?? STOP_REASONS[reason].text;
  const isDone = STOP_REASONS[reason].status === "completed";
  const undone = await commitTask(git, { task, run: state.run, isDone, isAgain: about.tries > 0 });
  const end = undone === null ? taskEnd(reason, about.tries) : unfinishedEnd(about.tries);
  const why = undone ?? said;
  const { next, along, conflict } = await lastClaim(end, { ...work, why });
  if (!(await held.release(next, along))) return lost(work);
  if (conflict !== null) return parked(conflict, state);
  return {
    outcome: end.outcome === "unfinished" ? "given_back" : end.outcome,
    why,
    exitCode: undone === null ? exitCode : STOP_REASONS.waits_for_answer.exit,
    goesOn: end.goesOn,
    run: state,
  };
}

/** A person has to look, and the worker goes on with other tasks. */
function parked(why: string, run: State | null): EndedTask {
  return { outcome: "parked", why, exitCode: STOP_REASONS.waits_for_answer.exit, goesOn: true, run };
}

/** The claim of a task whose work is nowhere but in this checkout. */
function parkedClaim(about: About, name: string, why: string): TaskClaim {
  return { state: "parked", ...about, worker: { name }, branch: null, why };
}

function lost({ state, exitCode }: { state: State; exitCode: number }): EndedTask {
  return { outcome: "lost", why: "another worker took it over", exitCode, goesOn: true, run: state };
}

function branchOf(held: HeldClaim | null): string | null {
  return held === null || held.claim.state === "claimed" ? null : held.claim.branch;
}

type Begun = {
  task: WorkTask;
  branch: string;
  worker: string;
  before: HeldClaim | null;
  /** Files with marks of a conflict. */
  marked: readonly string[];
};

/** Says in the run's journal which task it has; work that came back goes on in its author's conversation. */
function beginTask(run: Run, { task, branch, worker, before, marked }: Begun): void {
  const returned = before?.claim.state === "returned" ? before.claim : null;
  const { session = null, used } = returned?.worker ?? {};
  const known = used === undefined ? {} : { used };
  run.append({ type: "task_claimed", task: task.id, text: task.text, worker, branch, session, ...known });
  // Whether a task is set aside is in its claim: what an earlier run here asked would set this one aside again, though it was answered.
  const numbers = run.state().inbox.open.flatMap(({ number, task: its }) => (its === null ? [] : [number]));
  if (numbers.length > 0) run.append({ type: "questions_dropped", numbers });
  if (returned === null) return;
  const file = `logs/returned-${task.id}.md`;
  const folder = join(run.world.project.dir, RALPH_DIR, "logs");
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  writeFileAtomic(join(run.world.project.dir, RALPH_DIR, file), `${returned.message}\n`);
  const isWhole = returned.message.length <= MESSAGE_CHARS;
  const rest = isWhole ? "" : `\n\nAll of it: ${RALPH_DIR}/${file}`;
  const conflicts =
    marked.length === 0
      ? ""
      : `\n\nIt has been merged into this branch already; solve the conflicts that are marked in: ${marked.join(", ")}`;
  run.append({ type: "said", text: truncate(returned.message, MESSAGE_CHARS) + rest + conflicts });
}

/** The agent's, with all that it used. */
type Conversation = { session: string; used: Usage };

/** Keeps the newest conversation of a run: one that is done forgets it, and the work may come back. */
function createConversation() {
  let newest: Conversation | null = null;
  return {
    watch(run: Run): void {
      const onEvents = (steps: readonly EventStep[]) => {
        const session = steps.at(-1)?.state.session;
        if (session !== undefined && session.session_id !== null)
          newest = { session: session.session_id, used: sessionUsage(session) };
      };
      run.subscribe({ name: "the task's conversation", onEvents });
    },
    newest: () => newest,
  };
}

/** What each claim of a task says of it. */
type About = { task: string; text: string; tries: number };

type Worked = WorkPlace & {
  task: WorkTask;
  branch: string;
  about: About;
  state: State;
  exitCode: number;
  session: Conversation | null;
};

type LastClaim = {
  /** Null: none, anybody may take the task. */
  next: TaskClaim | null;
  /** The work, which goes to the hub with the claim. */
  along: PushedAlong | null;
  /** Why a person has to look, if the work cannot be brought to the hub. */
  conflict: string | null;
};

/** Says what becomes of the work's claim. */
async function lastClaim({ outcome }: TaskEnd, ended: Worked & { why: string }): Promise<LastClaim> {
  const { git, hub, task, branch, about, state, why, worker: name } = ended;
  const receipt = `${JSON.stringify({ task: task.id, run: state.run, worker: name, outcome, why, iterations: state.iterations, calls: state.calls, usage: state.usage, gates: state.gates.map(({ command, ok }) => ({ command, ok })) })}\n`;
  try {
    const { commit, along } = await prepareHandIn(git, { task: task.id, branch, hub, receipt });
    return { next: claimAfter(outcome, ended, commit), along, conflict: null };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return { next: parkedClaim(about, name, error.message), along: null, conflict: error.message };
  }
}

/** @param commit the work's @returns null: none, anybody may take the task */
function claimAfter(outcome: TaskEnd["outcome"], ended: Worked & { why: string }, commit: string): TaskClaim | null {
  const { branch, about, state, session, why, worker: name } = ended;
  const worker = { name, run: state.run, ...session };
  const tries = about.tries + 1;
  if (outcome === "handed_in") return { state: "handed_in", ...about, worker, branch, commit };
  if (outcome === "parked") return { state: "parked", ...about, tries, worker, branch, why };
  if (outcome === "given_back") return null;
  const message = `An earlier run on this task ended: ${why}`;
  return { state: "returned", ...about, tries, worker, branch, why: "unfinished", message };
}

function newestState(project: string): State | null {
  return foldNewestRun(join(project, RALPH_DIR, "runs"), project)?.state ?? null;
}
