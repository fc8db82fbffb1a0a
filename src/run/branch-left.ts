import type { Run } from "./run.ts";

/**
 * The branch that a run began on, once HEAD is detached: an agent that looked at an old commit, or was ended in a rebase, leaves it so.
 * Null while HEAD is on any branch: an agent may have been told to make one.
 * @param home the branch at the start; null for a run that began on none
 */
export function branchLeft({ world: { workspace } }: Pick<Run, "world">, home: string | null): string | null {
  return home !== null && workspace.isGitRepository && workspace.branch() === null ? home : null;
}
