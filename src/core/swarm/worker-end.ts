/** What the end of a worker's process says of its task and of the worker. */
import type { TaskClaim, TaskOutcome } from "../fleet/claim.ts";
import { taskEnd } from "../fleet/task-end.ts";
import type { WorkerSpending } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import { isSharedBound } from "./share.ts";
import type { SwarmEnd } from "./swarm-end.ts";

/**
 * What became of the task that a worker had.
 * @param claim the worker's on its task; null: it is gone
 * @param worked the state of its run on the task; null if none began
 * @param exit its exit code; null: it was killed
 * @param words the error that it ended with; null if it said none
 */
export function outcomeOf(
  claim: TaskClaim | null,
  worked: State | null,
  exit: number | null,
  words: string | null,
): { outcome: TaskOutcome; why: string } {
  const ended = exit === null ? "it was killed" : withWords(`it ended with exit code ${exit}`, words);
  const sentence = worked?.finished?.sentence ?? ended;
  // A claim that is gone was landed meanwhile.
  if (exit === 0) return { outcome: "handed_in", why: sentence };
  if (claim?.state === "parked") return { outcome: "parked", why: claim.why };
  if (claim?.state === "returned") return { outcome: "given_back", why: claim.message };
  return { outcome: "given_back", why: isCompleted(worked) ? notHandedIn(exit, words) : sentence };
}

/** Its run is no reason then: what failed came after it, mostly in git. */
function notHandedIn(exit: number | null, words: string | null): string {
  if (exit === null) return "it ended before it handed in what it did";
  const why = words ?? ".ralph/logs/worker.log in its worktree says why";
  return withWords(`it did the task and could not hand it in (exit code ${exit})`, why);
}

function withWords(what: string, words: string | null): string {
  return words === null ? what : `${what}: ${words}`;
}

/** Whether its run got to its end: what failed then, if anything, came after it. */
export function isCompleted(worked: State | null): boolean {
  const reason = worked?.finished?.reason;
  return reason !== undefined && STOP_REASONS[reason].status === "completed";
}

/** What a worker's run spent, as the swarm's journal has it. */
export function spentBy({ iterations, calls, usage }: State): WorkerSpending {
  return { iterations, calls, usage };
}

/** A worker that gave its task back. */
export type FailedWorker = {
  name: string;
  /** Whether the swarm had asked it to stop. */
  isTold: boolean;
  /** The state of its run on the task; null if none began. */
  worked: State | null;
  /** Null: it was killed. */
  exit: number | null;
  /** The error that it ended with; null if it said none. */
  words: string | null;
  /** How often it died before. */
  deaths: number;
};

/** What is next for a worker: another task, one after a pause, or none any more. `died`: another task, but not for ever. */
export type WorkerFuture =
  | { next: "task" }
  | { next: "died" }
  | { next: "rest"; until: number }
  | ({ next: "none" } & SwarmEnd);

/** A process that is killed may have been in somebody's way once. */
const MOST_DEATHS = 3;
/** Where a provider does not say when its limit ends. */
const USUAL_REST_MS = 15 * 60_000;

/** A worker whose agent or machine fails would fail with each further task: it gets no more. @param now epoch ms */
export function futureOf(
  { name, isTold, worked, exit, words, deaths }: FailedWorker,
  { ON_USAGE_LIMIT }: Pick<Settings, "ON_USAGE_LIMIT">,
  now: number,
): WorkerFuture {
  const finished = worked?.finished ?? null;
  if (finished !== null && STOP_REASONS[finished.reason].status !== "completed") {
    const { reason, sentence } = finished;
    if (reason === "usage_limit" && ON_USAGE_LIMIT === "wait")
      return { next: "rest", until: worked?.limit?.until ?? now + USUAL_REST_MS };
    if (isTold || isSharedBound(reason) || taskEnd(reason, 0).goesOn) return { next: "task" };
    return { next: "none", reason, sentence };
  }
  if (exit === null && deaths + 1 < MOST_DEATHS) return { next: "died" };
  const did = finished === null ? "before it began" : "and did not hand in what it did";
  const how = exit === null ? "a signal" : `exit code ${exit}`;
  const sentence = withWords(`Worker ${name} ended with ${how} ${did}`, words);
  return { next: "none", reason: "agent_unusable", sentence: words === null ? `${sentence}.` : sentence };
}
