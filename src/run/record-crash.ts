import { ERROR_EXIT_CODES } from "../core/errors.ts";
import type { StopReason } from "../core/stop/stop-reasons.ts";
import { isDiskFull, messageOf, toUserError } from "../core/system-error.ts";
import type { RunFiles, World } from "../effects/ports.ts";
import { recordLostSpending } from "./day-spending.ts";
import type { Recorder } from "./recorder.ts";
import { planRecovery } from "./recovery.ts";

/**
 * Records a crash as the end of the run, since `status` and other programs would otherwise report it as live. If the
 * journal itself failed, and not for want of room, the next start closes it.
 */
export function recordCrash(
  recorder: Recorder,
  error: unknown,
  world: Pick<World, "ledger"> & Pick<RunFiles, "freeRoom">,
): void {
  const broken = recorder.state();
  const recovery = planRecovery(broken);
  if (recovery === null) return;
  try {
    world.freeRoom();
    recorder.appendAll(recovery.closing);
    recorder.appendAll(recordLostSpending(world, broken));
    const { iterations, calls, usage } = recorder.state();
    recorder.append({
      type: "run_finished",
      ...endBy(error),
      sentence: messageOf(error),
      iterations,
      calls,
      usage,
      cost_usd: usage.cost_usd,
    });
  } catch {
    // The original error is rethrown and reported.
  }
}

/** What the user can mend is no fault of ralph, and ends as that. */
function endBy(error: unknown): { stop_reason: StopReason; exit_code: number } {
  const { code, exit } = toUserError(error) ?? { code: "internal", exit: ERROR_EXIT_CODES.internal };
  if (code !== "environment") return { stop_reason: "internal_error", exit_code: exit };
  return { stop_reason: isDiskFull(error) ? "disk_full" : "environment_error", exit_code: exit };
}
