/**
 * Iterations in a row that only tested, as far as they speak of the end of the work (product.md "Done"). Under `evidence` tests that
 * are written are work like any other, and may be all that was asked for: only iterations that changed nothing count.
 * @param loops test-only iterations in a row
 * @param quiet answers in a row that changed nothing and were denied nothing
 */
export function endingTestLoops(loops: number, quiet: number, policy: unknown): number {
  return policy === "evidence" ? Math.min(loops, quiet) : loops;
}
