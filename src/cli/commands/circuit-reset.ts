import type { CommandContext } from "../context.ts";
import { resetProject } from "../reset.ts";

/** `ralph circuit reset`: closes the breaker and drops the session. */
export async function run(context: CommandContext): Promise<number> {
  await resetProject(context, "both", "manual_circuit_reset");
  if (!context.args.quiet) context.stdout("The circuit breaker is CLOSED, and the next call begins a new session.\n");
  return 0;
}
