import type { Clock } from "../ports.ts";
import type { ProcessInfo } from "../process-tree/process-info.ts";

/** An agent that waits for a dead connection still runs its timers: less than this share of a core is no work. */
const BUSY_SHARE = 0.02;

export type IdleWatch = {
  /**
   * Looks for signs of life.
   * @param lastOutput epoch ms of the last byte that the agent printed
   * @returns when to look again (epoch ms), or "idle"
   */
  look(lastOutput: number): Promise<number | "idle">;
};

/**
 * Tells an agent that hangs from one that works in silence. Half a period after its last sign of life the CPU time of its
 * processes is noted; when the period is over without output, used CPU or a changed file is a sign of life too.
 * @param idleMs 0: never idle
 * @param members what lives of the agent's processes
 */
export function createIdleWatch(
  clock: Clock,
  idleMs: number,
  isAlive: () => boolean | Promise<boolean>,
  members: () => Promise<readonly ProcessInfo[]>,
): IdleWatch {
  let since = clock.now();
  let noted: { at: number; members: readonly ProcessInfo[] } | null = null;

  return {
    async look(lastOutput) {
      if (idleMs === 0) return Number.POSITIVE_INFINITY;
      if (lastOutput > since) {
        since = lastOutput;
        noted = null;
      }
      const now = clock.now();
      if (noted === null) {
        if (now < since + idleMs / 2) return since + idleMs / 2;
        noted = { at: now, members: await members() };
      }
      // After a sleep of the machine the agent still gets half a period to show life.
      const due = Math.max(since + idleMs, noted.at + idleMs / 2);
      if (now < due) return due;
      const used = cpuUsed(noted.members, await members());
      // Asked always: it answers for the time since it was asked before.
      const alive = await isAlive();
      if (!alive && used < (now - noted.at) * BUSY_SHARE) return "idle";
      since = now;
      noted = null;
      return since + idleMs / 2;
    },
  };
}

/** CPU ms that the processes used between two looks, those included that were started meanwhile. */
function cpuUsed(before: readonly ProcessInfo[], after: readonly ProcessInfo[]): number {
  const then = new Map(before.map((info) => [info.pid, info.cpuMs]));
  return after.reduce((sum, info) => sum + Math.max(info.cpuMs - (then.get(info.pid) ?? 0), 0), 0);
}
