import type { EventOf } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { type Cost, costOf, totalTokens } from "../journal/usage.ts";
import type { StopReason } from "../stop/stop-reasons.ts";

/** One run in the list of `ralph runs`. Without a readable start in its journal the unknown fields are null. */
export type RunReceipt = Cost & {
  run: string;
  started_at: string | null;
  /** Time of its newest event; what others recorded once it was over is none of it. */
  ended_at: string | null;
  driver: string | null;
  display_name: string | null;
  started_by: string | null;
  /** The text of `ralph "TEXT"`; null for the project's prompt and plan. */
  task: string | null;
  /** `broken_off`: its process is gone and no end is recorded. */
  status: "live" | "finished" | "broken_off";
  stop_reason: StopReason | null;
  exit_code: number | null;
  iterations: number;
  calls: number;
  tokens: number;
  /** What a run that broke off before it spent, whose work it went on with: not in these figures, but the bounds counted it. */
  earlier: { iterations: number; cost_usd: number | null };
  bytes: number;
};

/** The receipt of a finished run, from its first and last event alone. */
export function finishedReceipt(
  started: EventOf<"run_started">,
  end: EventOf<"run_finished">,
): Omit<RunReceipt, "bytes"> {
  return {
    run: started.run,
    started_at: started.at,
    ended_at: end.at,
    driver: started.driver,
    display_name: started.display_name ?? started.driver,
    started_by: started.started_by,
    task: started.task ?? null,
    status: "finished",
    stop_reason: end.stop_reason,
    exit_code: end.exit_code,
    iterations: end.iterations,
    calls: end.calls,
    tokens: totalTokens(end.usage),
    ...costOf(end.usage),
    earlier: spentBefore(started),
  };
}

/** What a run began with. A snapshot of an older ralph may lack it. */
export function spentBefore(started: EventOf<"run_started"> | null): RunReceipt["earlier"] {
  const { earlier }: Partial<State> = started?.state ?? {};
  return { iterations: earlier?.iterations ?? 0, cost_usd: earlier?.usage.cost_usd ?? null };
}
