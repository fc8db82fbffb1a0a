import type { Evidence } from "../journal/event.ts";

/** How many states of the tree are remembered. */
export const MAX_REMEMBERED_TREES = 50;

/** Fingerprints of the states that the tree went through, oldest first, without repeats in a row; the last is the newest. */
export type TreeHistory = readonly string[];

/** What an iteration did to the tree, as far as cycles go. */
export type TreeHistoryStep = {
  history: string[];
  /** It changed the tree to a state that it had before. */
  revisited: boolean;
  /** It did so for the second time: files change, and nothing comes of it. */
  cycling: boolean;
};

/**
 * The trees at the start of an iteration. What changed between iterations is not the agent's work: a tree that somebody
 * else put back makes an end of the history.
 */
export function treeHistoryAtStart(trees: TreeHistory, tree: string | null): string[] {
  if (tree === null || tree === trees.at(-1)) return [...trees];
  return trees.includes(tree) ? [tree] : remember(trees, tree);
}

/**
 * The trees after an iteration. A box that it ticked is work, whatever became of the files, and begins a new history.
 * Twice means two returns in a row (A B A B), or a second return to the same state (A B A C A).
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
  const again = endsInRevisit(trees) || trees.filter((tree) => tree === fingerprint).length >= 2;
  return { history: remember(trees, fingerprint), revisited, cycling: revisited && again };
}

/** Whether the newest tree had been there before. */
function endsInRevisit(trees: TreeHistory): boolean {
  const newest = trees.at(-1);
  return newest !== undefined && trees.indexOf(newest) < trees.length - 1;
}

function remember(trees: TreeHistory, tree: string): string[] {
  return [...trees, tree].slice(-MAX_REMEMBERED_TREES);
}
