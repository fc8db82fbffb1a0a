import type { Clock } from "../../src/effects/ports.ts";

export type FakeClock = Clock & { advance(ms: number): void };

/** A wall clock that stands still until the test advances it. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake(): void }>();
  return {
    now: () => now,
    sleepUntil(until, signal) {
      return new Promise((resolve) => {
        const sleeper = { until, wake };
        function wake() {
          sleepers.delete(sleeper);
          signal.removeEventListener("abort", wake);
          resolve();
        }
        if (until <= now || signal.aborted) return resolve();
        sleepers.add(sleeper);
        signal.addEventListener("abort", wake);
      });
    },
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake();
    },
  };
}

/** A clock on which every wait ends at once, at its due time. */
export function createHastyClock(start = Date.UTC(2026, 0, 1)): Clock {
  let now = start;
  return {
    now: () => now,
    async sleepUntil(until, signal) {
      if (!Number.isFinite(until)) {
        await new Promise<void>((resolve) => {
          if (signal.aborted) return resolve();
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        return;
      }
      // Other pending work runs first, as in a real wait.
      await new Promise((resolve) => setTimeout(resolve, 0));
      now = Math.max(now, until);
    },
  };
}
