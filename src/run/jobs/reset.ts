import type { SessionResetReason } from "../../core/decide/session.ts";
import type { Run } from "../run.ts";

/**
 * Records a reset. A run that was started only for the reset ends with it; an earlier run keeps its end.
 * @param what the agent's session, or the circuit breaker as well
 */
export async function reset(run: Run, what: "session" | "both", reason: SessionResetReason): Promise<void> {
  run.append({ type: "reset", what, reason });
  if (run.state().finished === null) run.finish("stopped_by_user", "Only a reset.");
}
