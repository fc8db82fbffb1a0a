import type { CommandContext } from "../context.ts";
import { controlRun } from "../run/send-control.ts";

/** `ralph pause`: no further call until `ralph resume`. The current call finishes. */
export async function run(context: CommandContext): Promise<number> {
  return controlRun(context, { command: "pause" });
}
