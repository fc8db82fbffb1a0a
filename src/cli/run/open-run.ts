import { join } from "node:path";
import type { EventOf } from "../../core/journal/event.ts";
import type { PlanCounts } from "../../core/plan/fix-plan.ts";
import { PROGRESS_EVERY_MS } from "../../core/state-files/progress-file.ts";
import { decoderKit } from "../../driver-host/decoder-kit.ts";
import { textDecoder } from "../../driver-host/text-decoder.ts";
import { systemClock } from "../../effects/clock.ts";
import { openJournal } from "../../effects/journal/journal.ts";
import { readOptional } from "../../effects/project/project-paths.ts";
import { createLostOutputs } from "../../effects/protect/lost-outputs.ts";
import { createProjections } from "../../effects/state-files/projections.ts";
import { recordBreakdown } from "../../run/broken.ts";
import { parseProjectPlan } from "../../run/compose-call.ts";
import { loop } from "../../run/loop.ts";
import { initialRunState } from "../../run/recover.ts";
import { createStopController } from "../../run/stop-controller.ts";
import { versionCheck } from "../agent/agent-version.ts";
import { openProject } from "../open-project.ts";
import { asNextRun, type RunPlace, recordIn, runStarted } from "./begin-run.ts";
import { loopDeps } from "./loop-deps.ts";
import { recoverProject } from "./recover-project.ts";
import type { RunPlan } from "./run-plan.ts";
import { openSteering, type Steering } from "./steering.ts";

/**
 * Opens a run under the project's lock, loops to its end, and closes it.
 * @throws RalphError `environment` if another ralph holds the lock, or the project cannot be written
 */
export async function runToEnd(plan: RunPlan): Promise<EventOf<"run_finished">> {
  return asNextRun(plan.paths.ralph, (place) => runLocked(plan, place));
}

async function runLocked(plan: RunPlan, { runsDir, run }: RunPlace): Promise<EventOf<"run_finished">> {
  const earlier = await recoverProject(plan.paths, runsDir, plan.driver.name);
  const journal = openJournal(join(runsDir, run));
  const start = { ...initialRunState(earlier.state, plan.settings, systemClock.now()), plan: planCounts(plan) };
  const warn = (text: string) => void recorder.append({ type: "note", level: "warn", text });
  const projections = createProjections({ ralphDir: plan.paths.ralph, onFailure: warn, defer: inAMoment, beat });
  const version = versionCheck({ ...plan, minimum: minimumVersion(plan), warn });
  const readers = [...plan.readers, version.reader];
  const recorder = recordIn({ run, state: start, journal, projections, readers });
  const stops = createStopController((how, by) => recorder.append({ type: "stop_requested", how, by }));
  let steering: Steering | null = null;
  try {
    const started = recorder.append(runStarted(plan, start));
    recorder.appendAll(earlier.notes);
    steering = openSteering(plan.paths.ralph, run, { recorder, stops });
    plan.onStops(stops, steering.steer);
    const outputs = createLostOutputs();
    const project = openProject({ ...plan, journal, projections, outputs, started, state: recorder.state });
    const deps = loopDeps(plan, { recorder, project, stops, runDir: journal.dir, outputs });
    return await loop(deps, { kit: decoderKit, text: textDecoder });
  } catch (error) {
    recordBreakdown(recorder, error);
    throw error;
  } finally {
    steering?.close();
    version.end();
    journal.close();
  }
}

/** Long enough that an agent which ends at once is over, short enough that nobody sees it. */
const MOMENT_MS = 40;

function inAMoment(write: () => void): void {
  setTimeout(write, MOMENT_MS).unref();
}

/** An agent that thinks for minutes looks alive to who reads `progress.json`. */
function beat(onBeat: (now: number) => void): () => void {
  const timer = setInterval(() => onBeat(systemClock.now()), PROGRESS_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function planCounts({ task, paths, settings }: RunPlan): PlanCounts | null {
  return parseProjectPlan(task === null ? readOptional(paths.plan) : null, settings)?.counts ?? null;
}

/** The user may set that of Claude Code (CLAUDE_MIN_VERSION). */
function minimumVersion({ driver, settings }: RunPlan): string | null {
  return driver.name === "claude-code" ? settings.CLAUDE_MIN_VERSION : (driver.minVersion ?? null);
}
