/** The state of a replay. */
export type Playback = {
  /** The factor of real time. */
  speed: number;
  isPaused: boolean;
  /** Epoch ms of the event that was played last. */
  at: number;
  /** The finished share of the delay before the next event, from 0 to 1. */
  share: number;
};

/** The keys of a replay. */
export type PlayKey = "toggle" | "step" | "previous" | "faster" | "slower";

const SLOWEST = 1 / 8;
const FASTEST = 1024;
/** Longer silences are cut to this. */
const LONGEST_DELAY_MS = 2000;

/**
 * Advances the time before the next event.
 * @param nextAt epoch ms of that event
 * @param ms elapsed real time
 * @returns `left`: the rest of `ms` once the event is due; null before
 */
export function advance(playback: Playback, nextAt: number, ms: number): { playback: Playback; left: number | null } {
  const delay = remainingDelay(playback, nextAt);
  const share = playback.share + (ms / delay) * (1 - playback.share);
  if (ms < delay) return { playback: { ...playback, share }, left: null };
  return { playback: afterEvent(playback, nextAt), left: ms - delay };
}

/** The remaining real time, in ms, until the event at `nextAt` is due. */
export function remainingDelay({ at, speed, share }: Playback, nextAt: number): number {
  const ms = nextAt - at;
  const delay = Number.isFinite(ms) ? Math.min(LONGEST_DELAY_MS, Math.max(0, ms) / speed) : 0;
  return delay * (1 - share);
}

/** The playback just after an event. */
export function afterEvent(playback: Playback, at: number): Playback {
  return { ...playback, at: Number.isFinite(at) ? at : playback.at, share: 0 };
}

/**
 * The displayed time of the run, in epoch ms. During a long silence it runs as fast as the replay.
 * @param nextAt epoch ms of the next event; null at the end
 */
export function playbackTime({ at, share }: Playback, nextAt: number | null): number {
  return nextAt === null ? at : at + Math.max(0, nextAt - at) * share;
}

/** The playback after a key: paused, continued, or at twice or half its speed. */
export function applyPlayKey(playback: Playback, key: PlayKey): Playback {
  switch (key) {
    case "toggle":
      return { ...playback, isPaused: !playback.isPaused };
    case "faster":
      return { ...playback, speed: Math.min(FASTEST, playback.speed * 2) };
    case "slower":
      return { ...playback, speed: Math.max(SLOWEST, playback.speed / 2) };
    // A user who steps through single events wants them to stay.
    case "step":
      return { ...playback, isPaused: true };
    case "previous":
      return playback;
  }
}
