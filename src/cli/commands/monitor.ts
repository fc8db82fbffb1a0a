import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { sendControl } from "../../effects/journal/control-channel.ts";
import { listRuns } from "../../effects/journal/journal-read.ts";
import { checkRalphDir, projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import { openDashboard } from "../dashboard/dashboard.ts";
import type { MonitorArgs } from "../definitions/monitor.ts";
import { loadSettings } from "../load-settings.ts";
import { steeringRefusal } from "../run/send-control.ts";
import { onSignals } from "../run/signals.ts";
import { chooseRun } from "../show/choose-run.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph monitor [RUN]` (`ralph attach`): the dashboard of a run in another process, or of a finished one.
 * @throws RalphError `environment` without a terminal, or for an unreadable run
 */
export async function run(context: CommandContext<MonitorArgs>): Promise<number> {
  const { projectDir, env, args } = context;
  if (!canAsk(context))
    throw new RalphError("environment", "The dashboard needs a terminal.", {
      hint: "Elsewhere: ralph status, or ralph logs -f",
    });
  const ralphDir = checkRalphDir(projectDir);
  const wanted = args.run === undefined ? null : chooseRun(listRuns(join(ralphDir, "runs")), args.run);
  const { settings } = loadSettings(context);
  const { promise: signalled, resolve: onSignal } = Promise.withResolvers<number>();
  const release = onSignals((_, code) => onSignal(code));
  const dashboard = openDashboard({
    project: projectDir,
    ralphDir,
    run: wanted,
    color: context.color,
    plan: () => parseProjectPlan(readOptional(projectPaths(projectDir, null, null).plan), settings),
    readOnly: steeringRefusal(env),
    steer: (name, command) => sendControl(projectDir, name, command, null),
    onInterrupt: () => "leave",
  });
  try {
    return await Promise.race([dashboard.closed.then(() => 0), signalled]);
  } finally {
    dashboard.close();
    release();
  }
}
