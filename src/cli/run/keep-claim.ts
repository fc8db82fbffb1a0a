import type { TaskClaim } from "../../core/fleet/claim.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { ClaimStore } from "../../effects/fleet/claims.ts";
import type { Run } from "../../run/run.ts";

/** A claim that is renewed until it is released. */
export type KeptClaim = {
  /** Renews it with each iteration of the run too, and stops the run once another worker has the task. */
  watch(run: Run): void;
  isLost(): boolean;
  /** Changes it for the last time. @param next null deletes it @returns false if another worker has it */
  release(next: TaskClaim | null): Promise<boolean>;
};

type Kept = {
  claims: ClaimStore;
  task: string;
  /** The commit of the claim as it was made. */
  commit: string;
  /** The claim from now on. */
  claimed(): TaskClaim;
  everyMs: number;
};

/** A hub that is away for a while loses nothing: the claim is lost only to a worker that takes it. */
export function keepClaim({ claims, task, commit, claimed, everyMs }: Kept): KeptClaim {
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
    if (!isWarned)
      run?.append({
        type: "note",
        level: "warn",
        text: `The claim on this task could not be renewed: ${reasonOf(error)}`,
      });
    isWarned = true;
  };
  const renew = () =>
    inTurn(async () => {
      if (held === null) return;
      held = await claims.swap(task, held, claimed());
      if (held !== null) return;
      run?.append({ type: "note", level: "warn", text: "Another worker has taken this task over: this run ends." });
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
    release(next) {
      clearInterval(timer);
      return inTurn(async () => {
        if (held === null) return false;
        held = await claims.swap(task, held, next);
        return held !== null;
      });
    },
  };
}
