import type { Evidence } from "../journal/event.ts";

/** Maximum number of remembered tree states. */
export const MAX_REMEMBERED_TREES = 50;

/** Fingerprints of the tree's states, oldest first, without consecutive repeats. */
export type TreeHistory = readonly string[];

/** The effect of an iteration on the tree, as far as cycles matter. */
export type TreeHistoryStep = {
  history: string[];
  /** It changed the tree back to an earlier state. */
  revisited: boolean;
  /** It did so for the second time: files change, but without a result. */
  cycling: boolean;
};

/**
 * The history at the start of an iteration. A change between iterations is not the agent's work: if someone else
 * restored a tree, the history restarts.
 */
export function treeHistoryAtStart(trees: TreeHistory, tree: string | null): string[] {
  if (tree === null || tree === trees.at(-1)) return [...trees];
  return trees.includes(tree) ? [tree] : remember(trees, tree);
}

/**
 * The history after an iteration. A ticked box is work, whatever became of the files, and restarts the history. Cycling
 * means two consecutive returns (A B A B), or a second return to one state (A B A C A).
 */
export function recordTree(
  trees: TreeHistory,
  { fingerprint, plan_delta }: Pick<Evidence, "fingerprint" | "plan_delta">,
): TreeHistoryStep {
  const still = { revisited: false, cycling: false };
  if (fingerprint === null) return { history: [...trees], ...still };
  if (plan_delta > 0) return { history: [fingerprint], ...still };
  if (fingerprint === trees.at(-1)) return { history: [...trees], ...still };
  const revisited = trees.includes(fingerprint);
  const isSecond = endsInRevisit(trees) || trees.filter((tree) => tree === fingerprint).length >= 2;
  return { history: remember(trees, fingerprint), revisited, cycling: revisited && isSecond };
}

/** Whether the newest tree is a return to an earlier one. */
function endsInRevisit(trees: TreeHistory): boolean {
  const newest = trees.at(-1);
  return newest !== undefined && trees.indexOf(newest) < trees.length - 1;
}

function remember(trees: TreeHistory, tree: string): string[] {
  return [...trees, tree].slice(-MAX_REMEMBERED_TREES);
}
