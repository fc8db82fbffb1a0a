import { isDeepStrictEqual } from "node:util";
import type { TaskClaim } from "../../core/fleet/claim.ts";
import { warning } from "../../core/journal/warning.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { ClaimStore, HeldClaim, PushedAlong } from "../../effects/fleet/claims.ts";
import type { Run } from "../../run/run.ts";

/** A claim that is renewed until it is released. */
export type KeptClaim = {
  /** Renews it with each iteration of the run too, and stops the run once another worker has the task. */
  watch(run: Run): void;
  isLost(): boolean;
  /** Changes it for the last time. @param next null deletes it @returns false if another worker has it: `along` did not arrive then */
  release(next: TaskClaim | null, along?: PushedAlong | null): Promise<boolean>;
};

type Kept = {
  /** Waits for a hub that is away: for the last change. */
  claims: ClaimStore;
  /** Does not wait: for renewals, of which the next comes soon. */
  renewals: ClaimStore;
  task: string;
  /** The commit of the claim as it was made. */
  commit: string;
  /** The claim from now on. */
  claimed(): TaskClaim;
  everyMs: number;
};

/** A hub that is away for a while loses nothing: the claim is lost only to a worker that takes it. */
export function keepClaim({ claims, renewals, task, commit, claimed, everyMs }: Kept): KeptClaim {
  let held: string | null = commit;
  let run: Run | null = null;
  let isWarned = false;
  /** One change at a time: each needs the result of the one before. */
  let changing: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const next = changing.then(change);
    changing = next.catch(() => {});
    return next;
  };
  const warn = (error: unknown) => {
    if (!isWarned) run?.append(warning(`The claim on this task could not be renewed: ${reasonOf(error)}`));
    isWarned = true;
  };
  /** @returns the commit that has it now; null if it is another worker's */
  const change = async (store: ClaimStore, expected: string, next: TaskClaim | null, along: PushedAlong | null) => {
    const changed = await store.swap(task, expected, next, along);
    if (changed !== null) return changed;
    // A push may arrive of which the answer does not.
    const there = (await store.list()).get(task) ?? null;
    if (isDeepStrictEqual(there?.claim ?? null, next)) return there?.id ?? "";
    return isOwn(there, claimed().worker.name) ? store.swap(task, there.id, next, along) : null;
  };
  const renew = () =>
    inTurn(async () => {
      if (held === null) return;
      held = await change(renewals, held, claimed(), null);
      if (held !== null) return;
      run?.append(warning("Another worker has taken this task over: this run ends."));
      run?.stops.request("user", "now");
    }).catch(warn);
  const timer = setInterval(() => void renew(), everyMs).unref();

  return {
    watch(watched) {
      run = watched;
      watched.subscribe({
        name: "the claim on the task",
        onEvents: (steps) => {
          if (steps.some(({ event }) => event.type === "iteration_finished")) void renew();
          // Its journal is closed soon after.
          if (steps.some(({ event }) => event.type === "run_finished")) run = null;
        },
      });
    },
    isLost: () => held === null,
    release(next, along = null) {
      clearInterval(timer);
      return inTurn(async () => {
        if (held === null) return false;
        held = await change(claims, held, next, along);
        return held !== null;
      });
    },
  };
}

/** Whether the hub's claim is one that this worker made and still has: one that was killed finds its own. */
export function isOwn(there: HeldClaim | null, worker: string): there is HeldClaim {
  return there?.claim.state === "claimed" && there.claim.worker.name === worker;
}
