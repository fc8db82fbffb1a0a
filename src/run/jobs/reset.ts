import type { SessionResetReason } from "../../core/decide/session.ts";
import type { Run } from "../run.ts";

/**
 * Records a reset. A run that was begun for it alone ends with it; the newest run of a project stays as it ended.
 * @param what the agent's session, or the circuit breaker as well
 */
export async function reset(run: Run, what: "session" | "both", reason: SessionResetReason): Promise<void> {
  run.append({ type: "reset", what, reason });
  if (run.state().finished === null) run.finish("stopped_by_user", "Only a reset.");
}
