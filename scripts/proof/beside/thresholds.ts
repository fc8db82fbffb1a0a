/** What `ours, evidence + gate` has to reach beside peers. Written down before the first side-by-side run was counted. */
export const THRESHOLDS = {
  /** Share of runs that say done and are not, with a gate that misses nothing. */
  falseDone: 0.01,
  /** Share of runs that end before done without need. */
  falseStop: 0.01,
  /** Money for a truly finished project, as a multiple of what a loop pays that sees the truth. */
  ratioToOracle: 1.15,
  /** The same, as a share of the cheapest peer in the same table. */
  ofBestPeer: 0.5,
  /** Calls after the project was truly done, in a run. */
  callsAfterTruth: 0.5,
} as const;
