import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { type GateResult, gatesProve } from "./gate-rules.ts";

/**
 * What "done" rests on: gates that are green and ran something, a stranger who looked and found no gap, or the agent's word alone, its ticks in the
 * plan included.
 */
export type Proof = "gates" | "review" | "word";

/**
 * What the end of a run rests on; null unless it ended as done (product.md "Proven or not").
 * @param wasLookedAt as many looks as are wanted found no gap
 */
export function proofOf(reason: StopReason, gates: readonly GateResult[], wasLookedAt: boolean): Proof | null {
  if (STOP_REASONS[reason].status !== "completed" || reason === "import_complete") return null;
  return gatesProve(gates) ? "gates" : wasLookedAt ? "review" : "word";
}
