import type { CommandContext } from "../context.ts";
import type { RESUME } from "../line/definitions.ts";
import { tellRun } from "../run/tell-run.ts";

/** `ralph resume`: ends a pause. */
export async function run(context: CommandContext<typeof RESUME.args>): Promise<number> {
  return tellRun(context, { command: "resume" });
}
