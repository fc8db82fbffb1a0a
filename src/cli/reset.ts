import type { SessionResetReason } from "../core/decide/session.ts";
import { RalphError } from "../core/errors.ts";
import { defaultSettings, type Settings } from "../core/settings/settings.ts";
import { NEEDS_PROJECT_HINT } from "../core/text/hints.ts";
import { createHost } from "../effects/host.ts";
import { checkRalphDir, isRalphProject, projectPaths } from "../effects/project/project-paths.ts";
import { createWorld } from "../effects/world.ts";
import { reset } from "../run/jobs/reset.ts";
import { type Run, withRun } from "../run/run.ts";
import { VERSION } from "../version.ts";
import { requireAgreedRuns } from "./agent/project-trust.ts";
import type { CommandContext } from "./context.ts";

/**
 * Records a reset while no run is live. It goes to the end of the newest journal, so that `status` and `logs` keep
 * showing that run. A project without a journal gets a short run of its own.
 * @throws RalphError `environment` if this is not a Ralph project, or a run is live
 */
export async function resetProject(
  context: Pick<CommandContext, "projectDir" | "env">,
  what: "session" | "both",
  reason: SessionResetReason,
): Promise<void> {
  await recordInNewestRun(context, (run) => reset(run, what, reason));
}

/**
 * Records something at the end of the newest journal, and returns what the job does.
 * @param options `startedBy`: what begins the run of its own that a project without runs gets; the job ends it
 * @throws RalphError `environment` if this is not a Ralph project, its runs are kept outside of it unasked, or a run is live
 */
export async function recordInNewestRun<T>(
  { projectDir, env }: Pick<CommandContext, "projectDir" | "env">,
  job: (run: Run) => Promise<T>,
  { startedBy = "reset", settings = defaultSettings() }: { startedBy?: string; settings?: Settings } = {},
): Promise<T> {
  checkRalphDir(projectDir);
  if (!isRalphProject(projectDir)) {
    throw new RalphError("environment", `${projectDir} is not a Ralph project.`, {
      hint: NEEDS_PROJECT_HINT,
    });
  }
  requireAgreedRuns({ projectDir, env });
  const paths = projectPaths(projectDir, null, null);
  const host = createHost(projectDir, env);
  const world = createWorld({ paths, host, use: { kind: "read", files: [] } });
  const spec = {
    driver: null,
    settings,
    version: VERSION,
    startedBy,
    subscribers: [],
    recordIn: "newest run",
    takesCommands: false,
  } as const;
  return withRun(world, spec, job);
}
