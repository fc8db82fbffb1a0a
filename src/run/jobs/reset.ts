import type { SessionResetReason } from "../../core/decide/session.ts";
import type { Run } from "../run.ts";

/**
 * Records a reset. A run that was started only for the reset ends with it; an earlier run keeps its end, and one that broke off stays
 * without: the next one goes on with it, and with what it spent.
 * @param what the agent's session, or the circuit breaker as well
 */
export async function reset(run: Run, what: "session" | "both", reason: SessionResetReason): Promise<void> {
  run.append({ type: "reset", what, reason });
  const { finished, started_by } = run.state();
  if (finished === null && started_by === "reset") run.finish("stopped_by_user", "Only a reset.");
}
