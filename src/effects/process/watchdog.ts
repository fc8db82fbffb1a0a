import { nap } from "../clock.ts";
import type { Clock } from "../ports.ts";
import type { IdleWatch } from "./idle-watch.ts";

/** ms that an agent has to exit by itself after its final event. */
const LINGER_MS = 2000;
/** What came while ralph itself was stopped (Ctrl+Z) is taken in before a time counts as over. */
const CATCH_UP_MS = 100;

/** Why an agent has to be ended. */
export type EndReason = "finished" | "stopped" | "timed_out" | "idle" | "no_writes" | "broken";
/** Those that ralph can be wrong about until it has caught up. */
const OF_TIME: ReadonlySet<EndReason | null> = new Set(["timed_out", "idle", "no_writes"]);

/** What the watchdog is told of an agent. Each change but `lastOutput` is followed by `wake`. */
export type Vitals = {
  exited: boolean;
  /** Its output can't be kept or read. */
  broken: boolean;
  /** When its final event was seen (epoch ms); null before. */
  finishedAt: number | null;
  /** epoch ms of the last byte. */
  lastOutput: number;
};

export type Watchdog = {
  /** Waits until the agent exits by itself (null) or has to be ended. */
  watch(): Promise<EndReason | null>;
  wake(): void;
};

export type WatchdogOptions = {
  clock: Clock;
  vitals: Vitals;
  /** epoch ms of wall clock; Infinity for none. */
  deadline: number;
  /** Aborts when the agent is to be ended. */
  stop: AbortSignal;
  idle: IdleWatch;
  /** Takes no output for life, only what is written and what children compute. */
  writes: IdleWatch;
};

/** Decides when an agent has to be ended: sleeps until the next moment at which that can be, and is woken by changes. */
export function createWatchdog({ clock, vitals, deadline, stop, idle, writes }: WatchdogOptions): Watchdog {
  let asleep = new AbortController();
  const wake = () => asleep.abort();

  const look = async (): Promise<EndReason | null | number> => {
    if (vitals.broken) return "broken";
    if (vitals.exited) return null;
    // The turn is over: no other bound can spoil it any more.
    if (vitals.finishedAt !== null) {
      const end = vitals.finishedAt + LINGER_MS;
      return stop.aborted || clock.now() >= end ? "finished" : end;
    }
    if (stop.aborted) return "stopped";
    if (clock.now() >= deadline) return "timed_out";
    const next = await idle.look(vitals.lastOutput);
    if (next === "idle") return next;
    const nextWrite = await writes.look(Number.NEGATIVE_INFINITY);
    return nextWrite === "idle" ? "no_writes" : Math.min(next, nextWrite, deadline);
  };

  return {
    wake,
    async watch() {
      stop.addEventListener("abort", wake);
      try {
        for (let late = false; ; ) {
          asleep = new AbortController();
          const found = await look();
          if (typeof found === "number") {
            late = false;
            await clock.sleepUntil(found, asleep.signal);
          } else if (late || !OF_TIME.has(found)) {
            return found;
          } else {
            late = true;
            await nap(CATCH_UP_MS, asleep.signal);
          }
        }
      } finally {
        stop.removeEventListener("abort", wake);
      }
    },
  };
}
