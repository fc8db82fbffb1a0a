import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import type { GateResult } from "./completion.ts";

/** What "done" rests on: gates that are green, or the agent's word alone, its ticks in the plan included. */
export type Proof = "gates" | "word";

/** What the end of a run rests on; null unless it ended as done (product.md "Proven or not"). */
export function proofOf(reason: StopReason, gates: readonly GateResult[]): Proof | null {
  if (STOP_REASONS[reason].status !== "completed" || reason === "import_complete") return null;
  return gates.length > 0 && gates.every(({ ok }) => ok) ? "gates" : "word";
}
