import type { LoopDeps } from "./deps.ts";

/**
 * Sees whether the agent wrote anything: files changed or deleted, a commit, the plan. A look costs a snapshot, so it is
 * for questions that are asked once in a while.
 * @param tree id of the snapshot at the start of the call
 * @returns answers: was anything written since this was asked before (at first: since the start)?
 */
export function watchForChanges({ workspace, project }: LoopDeps, tree: string): () => Promise<boolean> {
  const stateOf = (id: string) => [workspace.head(), project.plan(), id].join("\n");
  let last = stateOf(tree);
  return async () => {
    const now = stateOf((await workspace.snapshot()).id);
    const changed = last !== now;
    last = now;
    return changed;
  };
}
