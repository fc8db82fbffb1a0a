/** How a run is played back. */
export type Playback = {
  /** So many times as fast. */
  speed: number;
  isPaused: boolean;
  /** Epoch ms of the event that was played last. */
  at: number;
  /** How much of the rest before the next event is over, from 0 to 1. */
  share: number;
};

/** What a person asks of it while it plays. */
export type PlayKey = "toggle" | "step" | "previous" | "faster" | "slower";

const SLOWEST = 1 / 8;
const FASTEST = 1024;
/** A longer silence tells nothing that is worth waiting for. */
const LONGEST_DELAY_MS = 2000;

/**
 * Lets time pass before the next event.
 * @param nextAt epoch ms of that event
 * @param ms time that passes here
 * @returns what is left of that time once the event is due; null while it is not
 */
export function advance(playback: Playback, nextAt: number, ms: number): { playback: Playback; left: number | null } {
  const missing = remainingDelay(playback, nextAt);
  const share = playback.share + (ms / missing) * (1 - playback.share);
  if (ms < missing) return { playback: { ...playback, share }, left: null };
  return { playback: afterEvent(playback, nextAt), left: ms - missing };
}

/** How long it is in ms, here, until the event at `nextAt` is due. */
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
 * The time of the run that is being shown, in epoch ms. It runs through a long silence as fast as the replay does.
 * @param nextAt epoch ms of the next event; null at the end
 */
export function playbackTime({ at, share }: Playback, nextAt: number | null): number {
  return nextAt === null ? at : at + Math.max(0, nextAt - at) * share;
}

/** The playback with another speed, twice or half the one it had, or with another word on going on. */
export function applyPlayKey(playback: Playback, key: PlayKey): Playback {
  switch (key) {
    case "toggle":
      return { ...playback, isPaused: !playback.isPaused };
    case "faster":
      return { ...playback, speed: Math.min(FASTEST, playback.speed * 2) };
    case "slower":
      return { ...playback, speed: Math.max(SLOWEST, playback.speed / 2) };
    // Who looks at single events does not want them to run away.
    case "step":
      return { ...playback, isPaused: true };
    case "previous":
      return playback;
  }
}
