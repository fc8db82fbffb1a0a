import type { Evidence } from "../journal/event.ts";

/** How many states of the tree are remembered. */
export const KNOWN_TREES = 50;

/** Fingerprints of the states that the tree went through, oldest first, without repeats in a row; the last is the newest. */
export type Trees = readonly string[];

/** What an iteration did to the tree, as far as cycles go. */
export type Turn = {
  trees: string[];
  /** It changed the tree to a state that it had before. */
  returned: boolean;
  /** It did so for the second time: files change, and nothing comes of it. */
  cycles: boolean;
};

/**
 * The trees at the start of an iteration. What changed between iterations is not the agent's work: a tree that somebody
 * else put back makes an end of the history.
 */
export function treesAtStart(trees: Trees, tree: string | null): string[] {
  if (tree === null || tree === trees.at(-1)) return [...trees];
  return trees.includes(tree) ? [tree] : remember(trees, tree);
}

/**
 * The trees after an iteration. A box that it ticked is work, whatever became of the files, and begins a new history.
 * Twice means two returns in a row (A B A B), or a second return to the same state (A B A C A).
 */
export function turnOf(trees: Trees, { fingerprint, plan_delta }: Pick<Evidence, "fingerprint" | "plan_delta">): Turn {
  const still = { returned: false, cycles: false };
  if (fingerprint === null) return { trees: [...trees], ...still };
  if (plan_delta > 0) return { trees: [fingerprint], ...still };
  if (fingerprint === trees.at(-1)) return { trees: [...trees], ...still };
  const returned = trees.includes(fingerprint);
  const again = isReturn(trees) || trees.filter((tree) => tree === fingerprint).length >= 2;
  return { trees: remember(trees, fingerprint), returned, cycles: returned && again };
}

/** Whether the newest tree had been there before. */
function isReturn(trees: Trees): boolean {
  const newest = trees.at(-1);
  return newest !== undefined && trees.indexOf(newest) < trees.length - 1;
}

function remember(trees: Trees, tree: string): string[] {
  return [...trees, tree].slice(-KNOWN_TREES);
}
