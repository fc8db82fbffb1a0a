import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EventOf } from "../core/event.ts";
import type { Settings } from "../core/settings.ts";
import type { Driver, Host } from "../driver.ts";
import { decoderKit } from "../drivers/decode.ts";
import { textDecoder } from "../drivers/text-decoder.ts";
import { systemClock } from "../effects/clock.ts";
import { openJournal } from "../effects/journal.ts";
import { listRuns, nextRunName } from "../effects/journal-read.ts";
import { keepCopies } from "../effects/keepsakes.ts";
import { createProcessPort } from "../effects/process.ts";
import { type ProjectPaths, readOptional, readRequired } from "../effects/project-files.ts";
import { createProjections } from "../effects/projections.ts";
import { createWorkspace } from "../effects/workspace.ts";
import { planOf } from "../run/compose.ts";
import type { LoopDeps, ProjectPort } from "../run/deps.ts";
import { loop } from "../run/loop.ts";
import { createRecorder, type Reader, type Recorder } from "../run/recorder.ts";
import { startState } from "../run/recover.ts";
import { createStops, type Stops } from "../run/stops.ts";
import { withProjectLock } from "./project-lock.ts";
import { updateProjections } from "./projection-reader.ts";
import { recoverProject } from "./recover-project.ts";

export type RunPlan = {
  paths: ProjectPaths;
  settings: Settings;
  driver: Driver;
  binary: readonly string[];
  host: Host;
  version: string;
  /** How the run came to be: `cli`, `demo` … */
  startedBy: string;
  /** A text that stands for prompt and plan; null to read the project's files. */
  task: string | null;
  readers: readonly Reader[];
  onPartial(text: string): void;
  live: boolean;
  /** Called once the run can be stopped. */
  onStops(stops: Stops): void;
};

/**
 * Opens a run under the project's lock, loops to its end, and closes it.
 * @throws RalphError `environment` if another ralph holds the lock, or the project cannot be written
 */
export async function runToEnd(plan: RunPlan): Promise<EventOf<"run_finished">> {
  const runsDir = join(plan.paths.ralph, "runs");
  const run = nextRunName(listRuns(runsDir), systemClock.now());
  return withProjectLock(plan.paths.ralph, run, () => runLocked(plan, runsDir, run));
}

async function runLocked(plan: RunPlan, runsDir: string, run: string): Promise<EventOf<"run_finished">> {
  const earlier = await recoverProject(plan.paths, runsDir, plan.driver.name);
  const journal = openJournal(join(runsDir, run));
  const planText = plan.task === null ? readOptional(plan.paths.plan) : null;
  const counts = planOf(planText, plan.settings)?.counts ?? null;
  const start = { ...startState(earlier.state, plan.settings, systemClock.now()), plan: counts };
  const warn = (text: string) => void recorder.append({ type: "note", level: "warn", text });
  const projections = createProjections({ ralphDir: plan.paths.ralph, onFailure: warn });
  const readers: Reader[] = [
    { name: "the state files", onEvents: (steps) => updateProjections(projections, steps) },
    ...plan.readers,
  ];
  const recorder = createRecorder({
    run,
    state: start,
    now: systemClock.now,
    write: journal.write,
    sync: journal.sync,
    readers,
  });
  const stops = createStops((how, by) => recorder.append({ type: "stop_requested", how, by }));
  try {
    recorder.append({
      type: "run_started",
      version: plan.version,
      driver: plan.driver.name,
      settings: { ...plan.settings },
      state: start,
      pid: process.pid,
      started_by: plan.startedBy,
      project: plan.paths.project,
    });
    recorder.appendAll(earlier.notes);
    plan.onStops(stops);
    const kept = keepCopies(neededFiles(plan.paths, plan.task), journal.dir);
    const project: ProjectPort = {
      prompt: () =>
        plan.task ?? readRequired(plan.paths.prompt, "The prompt", "Write it, or name another with --prompt."),
      plan: () => (plan.task === null ? readOptional(plan.paths.plan) : null),
      restoreLost: () => {
        const lost = [...(journal.restoreIfLost() ? [journal.dir] : []), ...kept.restore()];
        if (lost.length > 0) projections.forget();
        return lost;
      },
    };
    const deps = loopDeps(plan, { recorder, project, stops, runDir: journal.dir, run });
    for (const text of deps.workspace.warnings) recorder.append({ type: "note", level: "warn", text });
    return await loop(deps, { kit: decoderKit, text: textDecoder });
  } finally {
    journal.close();
  }
}

type Opened = { recorder: Recorder; project: ProjectPort; stops: Stops; runDir: string; run: string };

function loopDeps(plan: RunPlan, { recorder, project, stops, runDir, run }: Opened): LoopDeps {
  return {
    driver: plan.driver,
    binary: plan.binary,
    settings: plan.settings,
    recorder,
    workspace: createWorkspace(plan.paths.project),
    process: createProcessPort(systemClock),
    clock: systemClock,
    project,
    host: plan.host,
    env: definedOnly(plan.host.env),
    marker: `${run}-${randomBytes(6).toString("hex")}`,
    stop: stops,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    newSessionId: randomUUID,
    callFiles: (iteration, call) => ({
      stdout: join(runDir, `${iteration}-${call}.out`),
      stderr: join(runDir, `${iteration}-${call}.err`),
    }),
    onPartial: plan.onPartial,
    live: plan.live,
  };
}

function neededFiles(paths: ProjectPaths, task: string | null): string[] {
  const files = task === null ? [paths.prompt, paths.plan, paths.agent, paths.settings] : [paths.settings];
  return files.filter((path) => path !== null);
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
