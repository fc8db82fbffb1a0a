import { ERROR_EXITS } from "../core/errors.ts";
import { STOPS } from "../core/stop/stop.ts";
import { foreseen, isDiskFull } from "../core/system-error.ts";
import type { Recorder } from "./recorder.ts";
import { recoveryOf } from "./recover.ts";

/**
 * Records the end of a run that an exception ends, so that `status` and other programs don't take it for a living one.
 * If the journal itself is what failed, the next start closes it instead.
 */
export function recordBreakdown(recorder: Recorder, error: unknown): void {
  const recovery = recoveryOf(recorder.state());
  if (recovery === null) return;
  try {
    recorder.appendAll(recovery.closing);
    const { iterations, calls, usage } = recorder.state();
    const full = isDiskFull(error);
    recorder.append({
      type: "run_finished",
      stop_reason: full ? "disk_full" : "internal_error",
      exit_code: full ? STOPS.disk_full.exit : (foreseen(error)?.exit ?? ERROR_EXITS.internal),
      sentence: error instanceof Error ? error.message : String(error),
      iterations,
      calls,
      usage,
      cost_usd: usage.cost_usd,
    });
  } catch {
    // It is told already, by the error that brought us here.
  }
}
