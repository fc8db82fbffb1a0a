import type { Clock } from "../ports.ts";
import type { ProcessInfo } from "../process-tree/process-info.ts";

/** An agent that waits on a dead connection still runs timers: less CPU than this share of a core is not work. */
const BUSY_SHARE = 0.02;

export type IdleWatch = {
  /**
   * Checks for signs of life.
   * @param lastOutput epoch ms of the agent's last output byte
   * @returns when to check again (epoch ms), or "idle"
   */
  look(lastOutput: number): Promise<number | "idle">;
};

/**
 * Distinguishes an agent that hangs from one that works silently. Half a period after the last sign of life it records the
 * CPU time of the agent's processes; at the end of a period without output, CPU use or a changed file also counts as life.
 * @param idleMs 0: never idle
 * @param members the agent's living processes
 */
export function createIdleWatch(
  clock: Clock,
  idleMs: number,
  isAlive: () => boolean | Promise<boolean>,
  members: () => Promise<readonly ProcessInfo[]>,
): IdleWatch {
  let since = clock.now();
  let baseline: { at: number; members: readonly ProcessInfo[] } | null = null;

  return {
    async look(lastOutput) {
      if (idleMs === 0) return Number.POSITIVE_INFINITY;
      if (lastOutput > since) {
        since = lastOutput;
        baseline = null;
      }
      const now = clock.now();
      if (baseline === null) {
        if (now < since + idleMs / 2) return since + idleMs / 2;
        baseline = { at: now, members: await members() };
      }
      // After the machine sleeps, the agent still gets half a period to show life.
      const due = Math.max(since + idleMs, baseline.at + idleMs / 2);
      if (now < due) return due;
      const used = cpuUsed(baseline.members, await members());
      // Always call it: it reports changes since its last call.
      const alive = await isAlive();
      if (!alive && used < (now - baseline.at) * BUSY_SHARE) return "idle";
      since = now;
      baseline = null;
      return since + idleMs / 2;
    },
  };
}

/** CPU ms used between two samples, including processes started meanwhile. */
function cpuUsed(before: readonly ProcessInfo[], after: readonly ProcessInfo[]): number {
  const then = new Map(before.map((info) => [info.pid, info.cpuMs]));
  return after.reduce((sum, info) => sum + Math.max(info.cpuMs - (then.get(info.pid) ?? 0), 0), 0);
}
