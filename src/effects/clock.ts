import type { Clock } from "./ports.ts";

/** Timers stand still while the machine sleeps and know nothing of a clock that is set: no wait is longer than this. */
const SLICE_MS = 1000;

/** The wall clock of this machine. */
export const systemClock: Clock = createClock(Date.now);

/**
 * A clock that waits in slices of a second, so that it sees within one whether the machine slept or its clock was set.
 * @param now wall clock in epoch ms
 */
export function createClock(now: () => number): Clock {
  return {
    now,
    async sleepUntil(until, signal) {
      for (let left = until - now(); left > 0 && !signal.aborted; left = until - now()) {
        await nap(Math.min(left, SLICE_MS), signal);
      }
    },
  };
}

/** Waits `ms` of running time; ends early, without error, when `signal` aborts. */
export function nap(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
