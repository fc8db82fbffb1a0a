import type { CommandContext } from "../context.ts";
import type { STOP } from "../definitions.ts";
import { tellAndSay } from "../live-run.ts";

/** `ralph stop [--now|--withdraw]`. */
export async function run(context: CommandContext<typeof STOP.args>): Promise<number> {
  const { now, withdraw } = context.args;
  if (withdraw) return tellAndSay(context, { command: "withdraw" }, "The stop is withdrawn: the run goes on.");
  if (now) return tellAndSay(context, { command: "stop", how: "now" }, "Stopping now.");
  const sentence = "Stopping after this iteration. Take it back with: ralph stop --withdraw";
  return tellAndSay(context, { command: "stop", how: "after_iteration" }, sentence);
}
