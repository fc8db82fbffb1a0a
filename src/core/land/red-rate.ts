/** How many of the branches were red lately, and the size of a batch that follows from it. */

/** Branches that were settled, and the red ones among them. Older ones count less. */
export type RedRate = { red: number; settled: number };

/** What is assumed before anything is known: one in twenty is red. */
const PRIOR = { red: 1, settled: 20 };
/** Beyond this the counts are halved, so that the rate follows what changes. */
const MEMORY = 64;
const MOST = 32;

export function noRedRate(): RedRate {
  return { red: 0, settled: 0 };
}

export function withSettled({ red, settled }: RedRate, more: RedRate): RedRate {
  const sum = { red: red + more.red, settled: settled + more.settled };
  return sum.settled <= MEMORY ? sum : { red: sum.red / 2, settled: sum.settled / 2 };
}

/** Part of the branches that is expected to be red, above 0 and at most 1. */
export function expectedRed({ red, settled }: RedRate): number {
  return (red + PRIOR.red) / (settled + PRIOR.settled);
}

/** How many branches to stack: the number with the fewest gate runs for each branch that it settles. */
export function batchSize(rate: RedRate): number {
  const red = expectedRed(rate);
  let best = 1;
  for (let size = 2; size <= MOST; size += 1) if (runsEach(size, red) < runsEach(best, red)) best = size;
  return best;
}

/**
 * Expected gate runs for each branch that a batch settles: one if it is green, else a second one of the same tree and the search, in
 * which half of the steps are red and so run twice. A red batch settles the branches up to its first red one.
 */
function runsEach(size: number, red: number): number {
  const allGreen = (1 - red) ** size;
  const runs = 1 + (1 - allGreen) * (1 + 1.5 * Math.log2(size));
  const settled = (1 - allGreen) / red;
  return runs / settled;
}
