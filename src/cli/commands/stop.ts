import type { STOP } from "../args/definitions.ts";
import type { CommandContext } from "../context.ts";
import { controlRun } from "../run/send-control.ts";

/** `ralph stop [--now|--withdraw]`. */
export async function run(context: CommandContext<typeof STOP.args>): Promise<number> {
  const { now, withdraw } = context.args;
  if (withdraw) return controlRun(context, { command: "withdraw" });
  return controlRun(context, { command: "stop", how: now ? "now" : "after_iteration" });
}
