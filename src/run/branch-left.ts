import type { Snapshot } from "../effects/ports.ts";

/**
 * The branch that a run began on, where HEAD is detached: an agent that looked at an old commit, or was ended in a rebase, leaves it so.
 * Null while HEAD is on any branch: an agent may have been told to make one. Null too of a HEAD that cannot be read.
 * @param home the branch at the start; null for a run that began on none
 */
export function branchLeft({ head, branch }: Pick<Snapshot, "head" | "branch">, home: string | null): string | null {
  return head !== null && branch === null ? home : null;
}
