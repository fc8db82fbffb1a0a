import type { State } from "../../core/journal/state.ts";

/** Calls back at intervals with the time (epoch ms), until the returned function is called. */
export type Beat = (onBeat: (now: number) => void) => () => void;

/** Follows a run: while an iteration is open, calls `write` at each beat, whether or not anything happens. */
export function createHeartbeat(beat: Beat, write: (state: State, now: number) => void): (state: State) => void {
  let newest: State | null = null;
  let stop: (() => void) | null = null;
  return (state) => {
    newest = state;
    const isWorking = state.open !== null && state.wait === null;
    if (isWorking && stop === null) stop = beat((now) => newest !== null && write(newest, now));
    if (isWorking || stop === null) return;
    stop();
    stop = null;
  };
}
