import type { CommandContext } from "../context.ts";
import type { STOP } from "../definitions.ts";
import { tellRun } from "../live-run.ts";

/** `ralph stop [--now|--withdraw]`. */
export async function run(context: CommandContext<typeof STOP.args>): Promise<number> {
  const { now, withdraw } = context.args;
  if (withdraw) return tellRun(context, { command: "withdraw" });
  return tellRun(context, { command: "stop", how: now ? "now" : "after_iteration" });
}
