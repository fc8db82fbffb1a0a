/** One process, as the process table shows it. */
export type ProcessInfo = {
  pid: number;
  parent: number;
  /** Process group; 0 on platforms without groups. */
  group: number;
  /** pid + start time identify the process; the pid alone may be reused. */
  startTime: string;
  /** CPU time in ms of the process and of its children that ended. */
  cpuMs: number;
  /** It has exited but its parent has not reaped it. */
  isZombie: boolean;
};

/**
 * A start time as journaled: `<origin>:<number>`; numbers of the same origin are comparable. Linux: boot id and ticks since
 * boot. macOS and Windows: epoch ms.
 */
export function startTimeFrom(origin: string, count: number): string {
  return `${origin}:${count}`;
}

/** On Windows we date our own child by our call, and the system dates it itself: they differ by the time a start takes. */
const SPAWN_TOLERANCE_MS = 2000;
export const SPAWN_ORIGIN = "spawn";

/** Whether two start times belong to the same process. */
export function isSameStart(a: string, b: string): boolean {
  if (a === b) return true;
  return (
    originOf(a) === SPAWN_ORIGIN &&
    originOf(b) === SPAWN_ORIGIN &&
    Math.abs(countOf(a) - countOf(b)) <= SPAWN_TOLERANCE_MS
  );
}

/** Whether `b`, or something it started, can have started `a`; never across a reboot. */
export function isNotOlder(a: string, b: string): boolean {
  return isSameStart(a, b) || (originOf(a) === originOf(b) && countOf(a) >= countOf(b));
}

function originOf(startTime: string): string {
  return startTime.slice(0, startTime.lastIndexOf(":"));
}

function countOf(startTime: string): number {
  return Number(startTime.slice(startTime.lastIndexOf(":") + 1));
}
