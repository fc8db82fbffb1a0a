import { GRACE_MS } from "../core/durations.ts";
import { endProcesses } from "./end-processes.ts";
import { isAlive } from "./process-tree.ts";

/** An agent as `agent_started` recorded it. */
export type Orphan = {
  pid: number;
  group: number;
  start_time: string | null;
  marker: string;
};

/**
 * Ends what a killed ralph left of its agent. The recorded pid counts only if its start time is still the same: another
 * process may have got the number since. What carries the marker is ours in any case.
 * @param graceMs ms in which TERM may do its work
 * @returns the pids that were ended
 */
export async function endOrphan(orphan: Orphan, graceMs = GRACE_MS): Promise<number[]> {
  const { start_time: startTime, marker } = orphan;
  const isSame = startTime !== null && isAlive(orphan.pid, startTime);
  const root = isSame ? orphan : { pid: 0, group: 0 };
  return endProcesses({ pid: root.pid, group: root.group, startTime, marker, graceMs });
}
