import type { Clock } from "./ports.ts";

/** The longest single timer: a timer stops while the machine sleeps and does not notice that the clock was set. */
const SLICE_MS = 1000;
/** A smaller step back is an ordinary clock correction. */
const SET_BACK_MS = 5000;

/**
 * Running time as epoch ms since ralph started. Setting the clock does not move it; sleep advances it only on Windows. Use it
 * to measure durations, never for due times.
 */
export const steadyClock: Clock = createClock(() => performance.timeOrigin + performance.now());

/** The wall clock of this machine. */
export const systemClock: Clock = createClock(Date.now);

/**
 * A clock that waits in slices of one second, so it notices sleep or a changed clock within a second. A wait ends early when
 * the clock was set back.
 * @param now wall clock in epoch ms
 * @param pause waits for ms of running time; ends early when the signal aborts
 */
export function createClock(now: () => number, pause: typeof nap = nap): Clock {
  return {
    now,
    async sleepUntil(until, signal, since = Number.NEGATIVE_INFINITY) {
      let last = since;
      for (let at = now(); at < until && !signal.aborted; at = now()) {
        // The clock was set back: the due time may now be hours away, so the caller decides again.
        if (at < last - SET_BACK_MS) return;
        last = at;
        await pause(Math.min(until - at, SLICE_MS), signal);
      }
    },
  };
}

/** Waits `ms` of running time; ends early, without an error, when `signal` aborts. */
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
