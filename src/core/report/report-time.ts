import type { RalphEvent } from "../journal/event.ts";

/** Milliseconds between two ISO times; 0 where a clock went back. */
export function elapsedMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Watches for waits. */
export type WaitTimer = {
  /** How many ms the wait took that an event ends; 0 for every other event. */
  take(event: RalphEvent): number;
  /** How many ms a wait takes so far that has not ended at a time. */
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
