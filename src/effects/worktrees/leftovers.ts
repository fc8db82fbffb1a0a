import { GRACE_MS } from "../../core/durations.ts";
import { sha256Of } from "../files/sha256.ts";
import { endProcesses } from "../process-tree/end-processes.ts";

/** Value of RALPH_RUN for what makes a worktree: git and the set-up. The same each time, so that a later ralph finds what a killed one left. */
export function makerMark(root: string): string {
  return `worktree-${sha256Of(root).slice(0, 24)}`;
}

/**
 * Ends the git or the set-up that a killed ralph left at work. Such a git would take away the worktree that is made anew: it
 * deletes what it could not finish. Only Linux shows the mark; elsewhere the guardian has ended the set-up.
 */
export async function endLeftMakers(root: string): Promise<void> {
  await endProcesses({ pid: 0, group: 0, startTime: null, marker: makerMark(root), graceMs: GRACE_MS });
}
