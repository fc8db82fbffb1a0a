import process from "node:process";
import { GRACE_MS } from "../../core/durations.ts";
import type { ProcessIdentity } from "../../core/journal/process-identity.ts";
import { endProcesses } from "./end-processes.ts";
import { isNotOlder, type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "./process-info.ts";
import { isAlive, listProcesses } from "./process-tree.ts";

/**
 * Ends what a killed ralph left of its agent. The recorded pid counts only with the same start time: the pid may have been
 * reused. A process with the marker is always ours.
 * @param seenAt epoch ms at which ralph last saw it alive; null: never
 * @returns the pids of the ended processes
 */
export async function endOrphan(orphan: ProcessIdentity, seenAt: number | null = null): Promise<number[]> {
  const { start_time: startTime, marker } = orphan;
  const isSame = startTime !== null && isAlive(orphan.pid, startTime);
  const root = isSame ? orphan : { pid: 0, group: 0 };
  // Windows shows no markers, and ends only the child of a dead parent, so look for its children.
  const known =
    process.platform === "win32" && seenAt !== null ? childrenUntil(await listProcesses(), orphan, seenAt) : [];
  return endProcesses({ pid: root.pid, group: root.group, startTime, marker, graceMs: GRACE_MS }, known);
}

/**
 * The children of a dead agent on Windows, which keeps the parent's pid in them. A child that started after the agent was
 * last seen alive may belong to another process with the same pid.
 * @param until epoch ms
 */
export function childrenUntil(
  table: readonly ProcessInfo[],
  { pid, start_time: from }: Pick<ProcessIdentity, "pid" | "start_time">,
  until: number,
): ProcessInfo[] {
  if (from === null) return [];
  const last = startTimeFrom(SPAWN_ORIGIN, until);
  return table.filter(
    ({ parent, startTime }) => parent === pid && isNotOlder(startTime, from) && isNotOlder(last, startTime),
  );
}
