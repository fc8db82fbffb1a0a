/** One process, as the system's process table shows it. */
export type ProcessInfo = {
  pid: number;
  parent: number;
  /** Process group; 0 where the platform has none. */
  group: number;
  /** Names this life of the pid: a reused pid has another. */
  startTime: string;
  /** CPU time of the process and of its children that ended, in ms. */
  cpuMs: number;
  /** It has ended and waits to be reaped. */
  isZombie: boolean;
};

/**
 * A start time as it is journaled: `<what it counts from>:<number>`; numbers with the same origin can be compared.
 * Linux: boot id and ticks since boot. macOS and Windows: epoch ms.
 */
export function startTimeFrom(origin: string, count: number): string {
  return `${origin}:${count}`;
}

/** Windows tells our own child's start by our clock and another's by its own: they differ by the time a start takes. */
const SPAWN_TOLERANCE_MS = 2000;
export const SPAWN_ORIGIN = "spawn";

/** Whether two start times mean the same process. */
export function isSameStart(a: string, b: string): boolean {
  if (a === b) return true;
  return (
    originOf(a) === SPAWN_ORIGIN &&
    originOf(b) === SPAWN_ORIGIN &&
    Math.abs(countOf(a) - countOf(b)) <= SPAWN_TOLERANCE_MS
  );
}

/** Whether `a` can have been started by `b` or by what it started: never across a restart of the machine. */
export function isNotOlder(a: string, b: string): boolean {
  return isSameStart(a, b) || (originOf(a) === originOf(b) && countOf(a) >= countOf(b));
}

function originOf(startTime: string): string {
  return startTime.slice(0, startTime.lastIndexOf(":"));
}

function countOf(startTime: string): number {
  return Number(startTime.slice(startTime.lastIndexOf(":") + 1));
}
