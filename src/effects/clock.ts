import type { Clock } from "./ports.ts";

/** Timers stand still while the machine sleeps and know nothing of a clock that is set: no wait is longer than this. */
const SLICE_MS = 1000;
/** Going back by less is a clock that is being corrected. */
const SET_BACK_MS = 5000;

/**
 * Running time, as epoch ms counted on from the start of ralph: a clock that is set does not move it, and a sleep of the
 * machine only on Windows. For how long something may take; never for when something is due.
 */
export const steadyClock: Clock = createClock(() => performance.timeOrigin + performance.now());

/** The wall clock of this machine. */
export const systemClock: Clock = createClock(Date.now);

/**
 * A clock that waits in slices of a second, so that it sees within one whether the machine slept or its clock was set.
 * A wait ends early when the clock was set back.
 * @param now wall clock in epoch ms
 * @param pause waits ms of running time, or until the signal
 */
export function createClock(now: () => number, pause: typeof nap = nap): Clock {
  return {
    now,
    async sleepUntil(until, signal) {
      let last = now();
      for (let at = last; at < until && !signal.aborted; at = now()) {
        // Set back: what was due in a moment may be hours away now. Who waits decides anew.
        if (at < last - SET_BACK_MS) return;
        last = at;
        await pause(Math.min(until - at, SLICE_MS), signal);
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
