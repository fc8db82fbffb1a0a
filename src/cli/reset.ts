import { join } from "node:path";
import process from "node:process";
import type { SessionResetReason } from "../core/decide/session.ts";
import { RalphError } from "../core/errors.ts";
import type { EventBody } from "../core/journal/event.ts";
import { defaultSettings } from "../core/settings/settings.ts";
import { systemClock } from "../effects/clock.ts";
import { openJournal } from "../effects/journal/journal.ts";
import { listRuns, nextRunName } from "../effects/journal/journal-read.ts";
import { checkRalphDir, isRalphProject, projectPaths } from "../effects/project/project-paths.ts";
import { createProjections } from "../effects/state-files/projections.ts";
import { createRecorder } from "../run/recorder.ts";
import { VERSION } from "../version.ts";
import { withProjectLock } from "./run/project-lock.ts";
import { recoverProject } from "./run/recover-project.ts";
import { updateProjections } from "./show/projection-reader.ts";

/**
 * Records a reset while no run lives: at the end of the newest journal, so that `status` and `logs` go on showing that
 * run; in a project without one, as a short run of its own.
 * @throws RalphError `environment` if this is no Ralph project, or a run is going on
 */
export async function resetProject(
  projectDir: string,
  what: "session" | "both",
  reason: SessionResetReason,
): Promise<void> {
  const ralph = checkRalphDir(projectDir);
  if (!isRalphProject(projectDir)) {
    throw new RalphError("environment", `${projectDir} is not a Ralph project.`, {
      hint: "Name the project's folder with -C.",
    });
  }
  const runsDir = join(ralph, "runs");
  const fresh = nextRunName(listRuns(runsDir), systemClock.now());
  await withProjectLock(ralph, fresh, async () => {
    const { state, notes, newest } = await recoverProject(projectPaths(projectDir, null, null), runsDir, "claude-code");
    const run = newest?.run ?? fresh;
    const journal = openJournal(join(runsDir, run));
    const projections = createProjections({ ralphDir: ralph, onFailure: (text) => process.emitWarning(text) });
    const readers = [
      {
        name: "the state files",
        onEvents: (steps: Parameters<typeof updateProjections>[1]) => updateProjections(projections, steps),
      },
    ];
    const recorder = createRecorder({
      run,
      state,
      now: systemClock.now,
      write: journal.write,
      sync: journal.sync,
      readers,
    });
    const reset: EventBody = { type: "reset", what, reason };
    if (newest !== null) recorder.appendAll([...notes, reset]);
    else {
      const started: EventBody = {
        type: "run_started",
        version: VERSION,
        driver: "",
        settings: { ...defaultSettings() },
        state,
        pid: process.pid,
        started_by: "reset",
        project: projectDir,
      };
      const { usage } = state;
      const finished: EventBody = {
        type: "run_finished",
        stop_reason: "stopped_by_user",
        exit_code: 0,
        sentence: "Only a reset.",
        iterations: 0,
        calls: 0,
        usage,
        cost_usd: null,
      };
      recorder.appendAll([started, ...notes, reset, finished]);
    }
    journal.close();
  });
}
