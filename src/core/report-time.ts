import type { RalphEvent } from "./event.ts";

/** Milliseconds between two ISO times; 0 where a clock went back. */
export function between(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Watches for waits. @returns how many ms the wait took that an event ends; 0 for every other event */
export function waitWatch(): (event: RalphEvent) => number {
  let began: string | null = null;
  return (event) => {
    if (event.type === "wait_started") began = event.at;
    if (event.type !== "wait_ended" || began === null) return 0;
    const waited = between(began, event.at);
    began = null;
    return waited;
  };
}
