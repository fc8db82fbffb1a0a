/** A longer silence tells nothing that is worth waiting for. */
const LONGEST_MS = 2000;

/**
 * How long a replay rests before an event.
 * @param ms what lay between it and the event before
 * @param speed so many times as fast
 */
export function replayDelay(ms: number, speed: number): number {
  return Number.isFinite(ms) ? Math.min(LONGEST_MS, Math.max(0, ms) / speed) : 0;
}
