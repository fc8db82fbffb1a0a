import { setTimeout as sleep, setImmediate as turnOfLoop } from "node:timers/promises";
import {
  advance,
  afterEvent,
  applyPlayKey,
  type Playback,
  playbackTime,
  remainingDelay,
} from "../../core/report/playback.ts";
import type { Keys } from "../../effects/terminal/key-input.ts";
import { parseKeys } from "../../view/dashboard/parse-keys.ts";
import { speedText } from "../../view/dashboard/replay-index.ts";
import { playKeyOf } from "../../view/dashboard/replay-keys.ts";

/** The pace of a replay in lines, controlled by the keys. */
export type Pace = {
  /**
   * Rests until an event is due.
   * @param at its time in epoch ms
   * @param shows whether it shows something; a step ends at an event that does
   */
  before(at: number, shows: () => boolean): Promise<void>;
  /** The shown time of the run, in epoch ms. */
  now(): number;
  /** Speed or pause, for the status line. */
  note(): string;
  hasLeft(): boolean;
};

const SLICE_MS = 50;

export type PaceOptions = Pick<Playback, "speed" | "isPaused"> & {
  /** The keys of a terminal; null where there is none. */
  keys: Keys | null;
  /** Called at another speed or a pause, to redraw the status line. */
  onChange(): void;
  /** Whether something other than a key ended the replay. */
  isEnded(): boolean;
};

export function createPace({ keys, onChange, isEnded, ...start }: PaceOptions): Pace {
  let playback: Playback = { ...start, at: 0, share: 0 };
  let nextAt: number | null = null;
  let steps = 0;
  let hasLeft = false;

  keys?.onKey((sent) => {
    for (const key of parseKeys(sent)) {
      const play = key.name === "enter" ? "step" : playKeyOf(key);
      if (key.name === "interrupt" || key.name === "end_of_input" || (key.name === "text" && key.text === "q"))
        hasLeft = true;
      if (play === null) continue;
      playback = applyPlayKey(playback, play);
      steps = playback.isPaused ? steps + (play === "step" ? 1 : 0) : 0;
      onChange();
    }
  });

  /** Rests in slices, so that keys take effect at once. */
  const rest = async (at: number, shows: () => boolean) => {
    for (let since = Date.now(); !hasLeft && !isEnded(); ) {
      if (playback.isPaused && steps > 0) {
        if (shows()) steps -= 1;
        return;
      }
      const now = Date.now();
      const next = playback.isPaused ? { playback, left: null } : advance(playback, at, now - since);
      since = now;
      playback = next.playback;
      if (next.left !== null) return;
      await sleep(playback.isPaused ? SLICE_MS : Math.min(SLICE_MS, remainingDelay(playback, at)));
    }
  };
  return {
    async before(at, shows) {
      await turnOfLoop();
      nextAt = at;
      if (playback.at !== 0) await rest(at, shows);
      nextAt = null;
      playback = afterEvent(playback, at);
    },
    now: () => playbackTime(playback, nextAt),
    note: () =>
      playback.isPaused ? "REPLAY ⏸ space goes on, → steps, q leaves" : `REPLAY ${speedText(playback.speed)}`,
    hasLeft: () => hasLeft || isEnded(),
  };
}
