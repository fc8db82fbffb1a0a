import { RalphError } from "../../core/errors.ts";
import { createHost } from "../../effects/host.ts";
import { runningInstance, stopInstance } from "../../effects/ui/instance.ts";
import type { CommandContext } from "../context.ts";

/** `ralph ui stop`. @throws RalphError `environment` if no server of this user runs, or it does not answer */
export async function run(context: CommandContext): Promise<number> {
  const running = await runningInstance(createHost(context.projectDir, context.env));
  if (running === null) throw new RalphError("environment", "No page is served.", { hint: "Serve it with: ralph ui" });
  if (!(await stopInstance(running)))
    throw new RalphError("environment", `The server of the page, process ${running.pid}, does not end.`);
  if (!context.args.quiet) context.stdout("The page is no longer served. Runs go on.\n");
  return 0;
}
