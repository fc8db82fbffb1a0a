import { nap } from "../clock.ts";
import type { Clock } from "../ports.ts";
import type { IdleWatch } from "./idle-watch.ts";

/** How long an agent may take to exit by itself after its final event, in ms. */
const LINGER_MS = 2000;
/** After ralph was stopped (Ctrl+Z), it reads pending output for this long before a timeout counts. */
const CATCH_UP_MS = 100;

/** Why an agent must be ended. */
export type EndReason = "finished" | "over" | "stopped" | "timed_out" | "idle" | "no_writes" | "broken";
/** Reasons that may be wrong until ralph has read pending output. */
const TIME_REASONS: ReadonlySet<EndReason | null> = new Set(["over", "timed_out", "idle", "no_writes"]);

/** The agent's state as the watchdog sees it. Call `wake` after every change except `lastOutput`. */
export type Vitals = {
  exited: boolean;
  /** Its output cannot be written or read. */
  broken: boolean;
  /** When its final event arrived (epoch ms); null before. */
  finishedAt: number | null;
  /** epoch ms of the last output byte. */
  lastOutput: number;
};

export type Watchdog = {
  /** Waits until the agent exits by itself (null) or must be ended. */
  watch(): Promise<EndReason | null>;
  wake(): void;
};

export type WatchdogOptions = {
  clock: Clock;
  vitals: Vitals;
  /** epoch ms of the wall clock; Infinity for none. */
  deadline: number;
  /** Aborts when the agent must end. */
  stop: AbortSignal;
  idle: IdleWatch;
  /** Ignores output; counts only writes and the CPU use of children. */
  writes: IdleWatch;
  /** Whether only the final event is missing, and the watch for it. */
  isOver: () => boolean;
  over: IdleWatch;
};

/** Decides when an agent must be ended: sleeps until the next possible moment; changes wake it. */
export function createWatchdog({
  clock,
  vitals,
  deadline,
  stop,
  idle,
  writes,
  isOver,
  over,
}: WatchdogOptions): Watchdog {
  let asleep = new AbortController();
  const wake = () => asleep.abort();

  const look = async (): Promise<EndReason | null | number> => {
    if (vitals.broken) return "broken";
    if (vitals.exited) return null;
    // The turn is over: no other limit applies any more.
    if (vitals.finishedAt !== null) {
      const end = vitals.finishedAt + LINGER_MS;
      return stop.aborted || clock.now() >= end ? "finished" : end;
    }
    if (stop.aborted) return "stopped";
    if (clock.now() >= deadline) return "timed_out";
    const nextOver = isOver() ? await over.look(vitals.lastOutput) : Number.POSITIVE_INFINITY;
    if (nextOver === "idle") return "over";
    const next = await idle.look(vitals.lastOutput);
    if (next === "idle") return next;
    const nextWrite = await writes.look(Number.NEGATIVE_INFINITY);
    return nextWrite === "idle" ? "no_writes" : Math.min(next, nextWrite, nextOver, deadline);
  };

  return {
    wake,
    async watch() {
      stop.addEventListener("abort", wake);
      try {
        for (let hasCaughtUp = false; ; ) {
          asleep = new AbortController();
          const found = await look();
          if (typeof found === "number") {
            hasCaughtUp = false;
            await clock.sleepUntil(found, asleep.signal);
          } else if (hasCaughtUp || !TIME_REASONS.has(found)) {
            return found;
          } else {
            hasCaughtUp = true;
            await nap(CATCH_UP_MS, asleep.signal);
          }
        }
      } finally {
        stop.removeEventListener("abort", wake);
      }
    },
  };
}
