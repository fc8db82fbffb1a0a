import type { CommandContext } from "../context.ts";
import { controlRun } from "../run/send-control.ts";

/** `ralph resume`: ends a pause. */
export async function run(context: CommandContext): Promise<number> {
  return controlRun(context, { command: "resume" });
}
