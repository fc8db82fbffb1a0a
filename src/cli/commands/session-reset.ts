import type { CommandContext } from "../context.ts";
import { resetProject } from "../reset.ts";

/** `ralph session reset`: the next call starts a new session. */
export async function run(context: CommandContext): Promise<number> {
  await resetProject(context, "session", "manual_reset_flag");
  if (!context.args.quiet) context.stdout("The next call begins a new session.\n");
  return 0;
}
