import { join } from "node:path";
import process from "node:process";
import type { EventBody } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { systemClock } from "../../effects/clock.ts";
import type { Journal } from "../../effects/journal/journal.ts";
import { listRuns, nextRunName } from "../../effects/journal/journal-read.ts";
import type { Projections } from "../../effects/state-files/projections.ts";
import { createRecorder, type EventSubscriber, type Recorder } from "../../run/recorder.ts";
import { updateProjections } from "../show/projection-reader.ts";
import { withProjectLock } from "./project-lock.ts";
import type { RunPlan } from "./run-plan.ts";

/** Where a run is written. */
export type RunPlace = { runsDir: string; run: string };

/**
 * Does something as the project's next run, while nobody else can.
 * @throws RalphError `environment` if another ralph holds the lock
 */
export async function asNextRun<T>(ralphDir: string, action: (place: RunPlace) => Promise<T>): Promise<T> {
  const runsDir = join(ralphDir, "runs");
  const run = nextRunName(listRuns(runsDir), systemClock.now());
  return withProjectLock(ralphDir, run, () => action({ runsDir, run }));
}

export type RunRecord = {
  run: string;
  state: State;
  journal: Journal;
  projections: Projections;
  readers: readonly EventSubscriber[];
};

/** Records a run in its journal, and tells the state files first, then the readers. */
export function recordIn({ run, state, journal, projections, readers }: RunRecord): Recorder {
  return createRecorder({
    run,
    state,
    now: systemClock.now,
    write: journal.write,
    sync: journal.sync,
    readers: [{ name: "the state files", onEvents: (steps) => updateProjections(projections, steps) }, ...readers],
  });
}

/** The first event of a run. */
export function runStarted({ version, driver, settings, startedBy, paths }: RunPlan, state: State): EventBody {
  return {
    type: "run_started",
    version,
    driver: driver.name,
    settings: { ...settings },
    state,
    pid: process.pid,
    started_by: startedBy,
    project: paths.project,
  };
}
