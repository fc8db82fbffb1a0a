import process from "node:process";
import { GRACE_MS } from "../../core/durations.ts";
import { endProcesses } from "./end-processes.ts";
import { isNotOlder, type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "./process-info.ts";
import { isAlive, listProcesses } from "./process-tree.ts";

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
 * @param seenAt epoch ms at which ralph last knew of it; null: never
 * @param graceMs ms in which TERM may do its work
 * @returns the pids that were ended
 */
export async function endOrphan(orphan: Orphan, seenAt: number | null = null, graceMs = GRACE_MS): Promise<number[]> {
  const { start_time: startTime, marker } = orphan;
  const isSame = startTime !== null && isAlive(orphan.pid, startTime);
  const root = isSame ? orphan : { pid: 0, group: 0 };
  // Windows ends the child of a dead parent and no more, and shows no markers.
  const known =
    process.platform === "win32" && seenAt !== null ? childrenUntil(await listProcesses(), orphan, seenAt) : [];
  return endProcesses({ pid: root.pid, group: root.group, startTime, marker, graceMs }, known);
}

/**
 * The children of an agent that is gone, on Windows, which never takes the number of a parent away from them. What began
 * later than the agent was known to live may be another's, who got its number.
 * @param until epoch ms
 */
export function childrenUntil(
  table: readonly ProcessInfo[],
  { pid, start_time: from }: Pick<Orphan, "pid" | "start_time">,
  until: number,
): ProcessInfo[] {
  if (from === null) return [];
  const last = startTimeFrom(SPAWN_ORIGIN, until);
  return table.filter(
    ({ parent, startTime }) => parent === pid && isNotOlder(startTime, from) && isNotOlder(last, startTime),
  );
}
