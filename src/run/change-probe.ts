import { planIfReadable } from "./plan-if-readable.ts";
import type { Run } from "./run.ts";

/**
 * Detects whether the agent wrote anything: files changed or deleted, a commit, the plan. A probe costs a snapshot, so
 * call it rarely.
 * @param tree id of the snapshot at the start of the call
 * @returns a probe: was anything written since its last call (at first: since the start)?
 */
export function createChangeProbe({ world }: Pick<Run, "world">, tree: string): () => Promise<boolean> {
  const { workspace, project } = world;
  const fingerprint = (id: string) => [workspace.head(), planIfReadable(project.plan), id].join("\n");
  let last = fingerprint(tree);
  return async () => {
    const now = fingerprint((await workspace.snapshot()).id);
    const changed = last !== now;
    last = now;
    return changed;
  };
}
