import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { definedOnly } from "../../core/defined-only.ts";
import { runMarker } from "../../core/journal/process-identity.ts";
import { steadyClock, systemClock } from "../../effects/clock.ts";
import { outputEnds } from "../../effects/process/output-ends.ts";
import { createProcessPort } from "../../effects/process/run-process.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { forceMkdir } from "../../effects/protect/displace.ts";
import type { LostOutputs } from "../../effects/protect/lost-outputs.ts";
import type { LoopDeps, ProjectPort } from "../../run/deps.ts";
import type { Recorder } from "../../run/recorder.ts";
import type { StopController } from "../../run/stop-controller.ts";
import type { RunPlan } from "./run-plan.ts";

export type Opened = {
  recorder: Recorder;
  project: ProjectPort;
  stops: StopController;
  runDir: string;
  /** Takes the outputs that the agent deletes; absent where nothing is put back. */
  outputs?: LostOutputs;
};

/** The outside world of one run, as the loop sees it. */
export function loopDeps(plan: RunPlan, { recorder, project, stops, runDir, outputs }: Opened): LoopDeps {
  let zone: string | null = null;
  return {
    driver: plan.driver,
    binary: plan.binary,
    settings: plan.settings,
    recorder,
    workspace: createWorkspace(plan.paths.project, { env: plan.host.env }),
    process: createProcessPort(steadyClock, outputs ?? null),
    clock: systemClock,
    project,
    host: plan.host,
    env: definedOnly(plan.host.env),
    marker: runMarker(recorder.state()),
    stop: stops,
    get zone() {
      // The first use of Intl costs several ms: not before the first agent.
      zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
      return zone;
    },
    newSessionId: randomUUID,
    callFiles: (iteration, call) => ({
      stdout: join(runDir, `${iteration}-${call}.out`),
      stderr: join(runDir, `${iteration}-${call}.err`),
    }),
    runFile: (name) => {
      // The agent may have deleted it: that is told by what is put back, not by a gate that can't write.
      forceMkdir(runDir);
      return join(runDir, name);
    },
    ends: outputEnds,
    onPartial: plan.onPartial,
    live: plan.live,
  };
}
