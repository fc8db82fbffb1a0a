import type { CommandContext } from "../context.ts";
import type { StopArgs } from "../definitions/stop.ts";
import { controlRun } from "../run/send-control.ts";

/** `ralph stop [--now|--withdraw]`. */
export async function run(context: CommandContext<StopArgs>): Promise<number> {
  const { now, withdraw } = context.args;
  if (withdraw) return controlRun(context, { command: "withdraw" });
  return controlRun(context, { command: "stop", how: now ? "now" : "after_iteration" });
}
