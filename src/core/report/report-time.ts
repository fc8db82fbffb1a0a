import type { RalphEvent } from "../journal/event.ts";

/** Milliseconds between two ISO times; 0 if a clock went back. */
export function elapsedMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Measures waits. */
export type WaitTimer = {
  /** The ms of the wait that an event ends; 0 for every other event. */
  take(event: RalphEvent): number;
  /** The ms of an unfinished wait up to a time. */
  open(at: string): number;
};

export function createWaitTimer(): WaitTimer {
  let began: string | null = null;
  const open = (at: string) => (began === null ? 0 : elapsedMs(began, at));
  return {
    take(event) {
      if (event.type === "wait_started") began = event.at;
      if (event.type !== "wait_ended") return 0;
      const waited = open(event.at);
      began = null;
      return waited;
    },
    open,
  };
}
